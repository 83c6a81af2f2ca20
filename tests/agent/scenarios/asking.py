"""What people and programs outside are asked, and what they answer."""

from nb_agentscope.tools import tool
from tests.agent.scenarios._scenario import Scenario, calls, calls_at_once, says, scenario


def _rm():
    @tool(concurrent=True)
    async def rm(x: str) -> str:
        return f"removed {x}"

    return rm


def _asks(*names):
    """Tools that ask before they run."""

    def one(name):
        @tool(name=name, concurrent=True)
        async def ask(x: str = "") -> str:
            return f"{name} ran {x}"

        return ask

    return [one(name) for name in names]


def _delete_after_a_word():
    deleting = [*says("I will delete it."), *calls("c1", "rm", '{"x": "', 'a.txt"}', usage=(11, 12))]
    return Scenario(script=[deleting, says("Deleted.", usage=(20, 2))], tools=[_rm()])


@scenario
def hitl_confirm():
    """one call is confirmed by the user"""
    return _delete_after_a_word()


@scenario
def service_resume():
    """as hitl_confirm, with the second REPLY_START (same reply_id) that the agent service publishes on resume"""
    return _delete_after_a_word()


@scenario
def hitl_accept_rule():
    """confirmed with the suggested rule: the same tool does not ask again"""
    script = [calls("c1", "rm", '{"x":', ' "1"}'), calls("c2", "rm", '{"x":', ' "2"}'), says("Both gone.")]
    return Scenario(script=script, tools=[_rm()])


@scenario
def hitl_deny():
    """the call is denied by the user; the model goes on"""
    return Scenario(script=[calls("c1", "rm", '{"x": "', 'a.txt"}'), says("Fine, I ", "keep it.")], tools=[_rm()])


@scenario
def hitl_edit():
    """the user edits name-preserving input before confirming"""

    @tool(concurrent=True)
    async def mail(x: str) -> str:
        return f"sent to {x}"

    return Scenario(script=[calls("c1", "mail", '{"x": "boss@e', 'xample.com"}'), says("Sent.")], tools=[mail])


@scenario
def hitl_partial():
    """three different asking tools in one batch: confirm one, then deny one and confirm one"""
    three = calls_at_once(("c1", "ask_a", '{"x":"1"}'), ("c2", "ask_b", '{"x":"2"}'), ("c3", "ask_c", '{"x":"3"}'))
    return Scenario(script=[three, says("Result.")], tools=_asks("ask_a", "ask_b", "ask_c"))


@scenario
def interrupt_parked():
    """UserInterruptEvent while parked on two confirmations; then an ordinary new message"""
    two = calls_at_once(("c1", "ask_a", "{}"), ("c2", "ask_b", "{}"), usage=(4, 4))
    return Scenario(script=[two, says("New topic.")], tools=_asks("ask_a", "ask_b"))


@scenario
def stale_confirm():
    """a stale confirmation after the interrupt: the agent raises, nothing is emitted"""
    return Scenario(script=[calls("c1", "ask", "{", "}")], tools=_asks("ask"))


@scenario
def external_exec():
    """an externally executed tool, result as plain string"""

    @tool(external=True, read_only=True, concurrent=True)
    async def browser(x: str) -> str:
        raise AssertionError(f"ran here: {x}")

    script = [calls("c1", "browser", '{"x": "', 'open"}', usage=(3, 3)), says("Opened.", usage=(5, 2))]
    return Scenario(script=script, tools=[browser])


@scenario
def confirm_then_external():
    """an external tool that also asks: confirm, then external"""

    @tool(external=True, concurrent=True)
    async def pay(x: str) -> str:
        raise AssertionError(f"ran here: {x}")

    return Scenario(script=[calls("c1", "pay", '{"x": ', '"10"}'), says("Paid.")], tools=[pay])
