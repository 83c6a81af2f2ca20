"""Tools as a decision sees them."""

from dataclasses import dataclass

from nb_agentscope.permission import (
    PermissionBehavior,
    PermissionRule,
    Verdict,
    match_glob,
    match_prefix,
    path_verdict,
    suggest_commands,
    suggest_paths,
    suggest_tool,
)

ALLOW, ASK, DENY = PermissionBehavior.ALLOW, PermissionBehavior.ASK, PermissionBehavior.DENY
PASS = PermissionBehavior.PASSTHROUGH


def rule(behavior, content=None, tool="probe"):
    return PermissionRule(tool_name=tool, rule_content=content, behavior=behavior, source="test")


@dataclass
class Probe:
    """Says what it is told to, matches the content `yes`, and loosely `maybe`; counts how often its verdict is asked for."""

    read_only: bool = False
    says: Verdict | None = None
    name: str = "probe"
    asked: int = 0

    def is_read_only(self, input):
        return self.read_only

    def verdict(self, input, mode, working_dirs):
        self.asked += 1
        return self.says

    def match(self, rule_content, input, *, loose=False):
        return rule_content == "yes" or (loose and rule_content == "maybe")

    def suggest(self, input):
        return suggest_tool(self.name)


@dataclass
class Writer:
    """Edits the file at `path`."""

    root: str
    name: str = "write"

    def is_read_only(self, input):
        return False

    def verdict(self, input, mode, working_dirs):
        return path_verdict(input["path"], mode, working_dirs, root=self.root)

    def match(self, rule_content, input, *, loose=False):
        return match_glob(rule_content, input["path"], root=self.root, loose=loose)

    def suggest(self, input):
        return suggest_paths(self.name, input["path"], root=self.root)


@dataclass
class Shell:
    """Runs `command`."""

    name: str = "shell"

    def is_read_only(self, input):
        return False

    def verdict(self, input, mode, working_dirs):
        return None

    def match(self, rule_content, input, *, loose=False):
        return match_prefix(rule_content, input["command"], loose=loose)

    def suggest(self, input):
        return suggest_commands(self.name, input["command"])
