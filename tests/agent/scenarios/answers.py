"""What the model says: text, thinking, data, and how their blocks overlap."""

from nb_agentscope.model import ChatChunk
from nb_agentscope.tools import tool
from tests.agent.scenarios._scenario import Scenario, calls, data, says, scenario, used


@scenario
def plain_text():
    """one streamed text block"""
    return Scenario(script=[says("Hello! H", "ow can I", " help yo", "u today?", usage=(12, 8))])


@scenario
def plain_text_nonstream():
    """model answers with one whole ChatResponse (no streaming)"""
    return Scenario(script=[says("A whole answer.", usage=(5, 4))])


@scenario
def thinking_text():
    """thinking deltas, one chunk with both kinds, then text"""
    answer = [
        ChatChunk(thinking="The user wants "),
        ChatChunk(thinking="2+2."),
        ChatChunk(thinking=" Easy.", text="The answer"),
        ChatChunk(text=" is **4**."),
        *used((20, 15, 6, 2)),
    ]
    return Scenario(script=[answer])


@scenario
def interleaved_blocks():
    """text / tool / thinking interleaved inside one model call, text block reopened"""

    @tool(read_only=True, concurrent=True)
    async def echo(x: str) -> str:
        return f"echo:{x}"

    first = [
        ChatChunk(text="Let me look. "),
        ChatChunk(thinking="need the tool"),
        ChatChunk(text="Calling now."),
        *calls("call_1", "echo", '{"x":', ' "a"}', usage=(9, 9)),
    ]
    return Scenario(script=[first, says("Done.", usage=(14, 2))], tools=[echo])


@scenario
def data_block_output():
    """model streams audio as a data block next to text"""
    sound = bytes(7 * i % 256 for i in range(50))
    answer = [
        ChatChunk(text="Listen: ", data=[data("aud", sound[:10], "audio/pcm")]),
        ChatChunk(data=[data("aud", sound[10:21], "audio/pcm")]),
        ChatChunk(text="that was it.", data=[data("aud", sound[21:], "audio/pcm")]),
        ChatChunk(data=[data("im", b"\x89PNG\r", "image/png")]),
        *used((4, 30)),
    ]
    return Scenario(script=[answer])


@scenario
def unicode_long():
    """emoji, CJK, combining marks, RTL, control characters, html, a very long text"""
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 \u5bb6\u65cf e\u0301 "
    marks = "\u05e9\u05dc\u05d5\u05dd \u202eabc\u202c \0\a\u2028\u2029 "
    code = "<script>alert(1)</script> ```py\nx=1\n``` "
    long = "".join("\U0001f680" if i % 3 == 0 else chr(0x4E00 + 37 * i % 5000) for i in range(3000))
    in_150s = [long[i : i + 150] for i in range(0, len(long), 150)]
    return Scenario(script=[says(*(family + marks + code), *in_150s, usage=(100, 4000))])


@scenario
def two_replies():
    """two replies one after the other in one session (two messages)"""

    @tool(read_only=True, concurrent=True)
    async def echo(x: str) -> str:
        return x

    script = [
        says("First.", usage=(1, 1)),
        calls("c1", "echo", '{"x":', ' "2"}', usage=(2, 2)),
        says("Seco", "nd.", usage=(3, 3)),
    ]
    return Scenario(script=script, tools=[echo])
