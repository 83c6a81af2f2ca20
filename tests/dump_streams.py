"""Print generated streams and the messages they fold to, for readers in other languages.

    python -m tests.dump_streams 200

Each line is `{"events": [...], "msgs": [...], "tidied": [...], "lanes": [...]}`: the messages are those of the main lane, `lanes`
what sub-agents become of the tidied events (`source`, `parent_reply_id`, `parent_tool_call_id`, `msgs`, `progress`). Every
second stream is a broken one. The same number gives the same lines.
"""

import json
import logging
import sys
import warnings
from random import Random

from nb_agentscope.stream import Record, View, fold_all
from tests.lanes import lanes_json
from tests.strategies import broken_stream, valid_stream


def main(count: int) -> None:
    logging.getLogger("nb_agentscope").setLevel(logging.ERROR)
    warnings.simplefilter("ignore")
    for seed in range(count):
        events = (broken_stream if seed % 2 else valid_stream)(Random(seed))
        view = View()
        tidied = [event for i, e in enumerate(events) for event in view.follow(Record(i, None, None, "out", None, e))]
        line = {
            "events": [json.loads(event.model_dump_json()) for event in events],
            "msgs": [json.loads(msg.model_dump_json()) for msg in fold_all(events)],
            "tidied": [json.loads(event.model_dump_json()) for event in tidied],
            "lanes": lanes_json(view),
        }
        print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
