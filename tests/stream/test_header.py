"""The events that we add to a log."""

import getpass
import json
import platform
import re
import socket
from pathlib import Path

from nb_agentscope.message import Msg, UserMsg
from nb_agentscope.stream import EventLog, header_event, input_event


def test_header_says_what_ran_but_not_where():
    event = header_event("Friday", "scripted", ["read_file"])
    assert event.name == "nb_agentscope.header"
    assert list(event.value) == ["format", "package", "python", "tz", "agent", "model", "tools", "boot"]
    assert event.value["format"] == 1
    assert event.value["python"] == platform.python_version()
    assert (event.value["agent"], event.value["model"], event.value["tools"]) == ("Friday", "scripted", ["read_file"])
    assert re.fullmatch(r"[+-]\d\d:\d\d", event.value["tz"]["offset"])
    text = event.model_dump_json()
    for secret in (socket.gethostname(), str(Path.home()), str(Path.cwd())):
        assert secret not in text
    assert f'"{getpass.getuser()}"' not in text


def test_boot_is_the_same_within_a_process_only_once_made():
    assert header_event().value["boot"] == header_event().value["boot"]
    assert header_event().id != header_event().id


def test_input_keeps_the_messages_whole():
    msg = UserMsg("user", "Tidy the folder")
    event = input_event(msg, reply_id="r")
    assert event.value["reply_id"] == "r"
    assert [Msg.model_validate(dumped) for dumped in event.value["messages"]] == [msg]
    assert input_event([msg, msg]).value["messages"] == [msg.model_dump(mode="json")] * 2
    json.dumps(event.value)


def test_an_input_goes_in_after_a_plain_reload_too(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(f"{header_event().model_dump_json()}\n{input_event([]).model_dump_json()}\n")
    assert [record.dir for record in EventLog.load(path).records] == ["out", "in"]
