"""Permission rules and modes as values, and the pure decision over them."""

from nb_agentscope.permission._checked import Checked
from nb_agentscope.permission._decide import decide
from nb_agentscope.permission._decision import Decision
from nb_agentscope.permission._edits import path_verdict
from nb_agentscope.permission._glob import match_glob
from nb_agentscope.permission._match import covered, forbids, matches
from nb_agentscope.permission._mode import PermissionMode, checked_mode
from nb_agentscope.permission._prefix import match_prefix
from nb_agentscope.permission._rule import PermissionBehavior, PermissionRule
from nb_agentscope.permission._suggest import suggest_commands, suggest_paths, suggest_tool
from nb_agentscope.permission._verdict import Verdict

__all__ = [
    "Checked",
    "Decision",
    "PermissionBehavior",
    "PermissionMode",
    "PermissionRule",
    "Verdict",
    "checked_mode",
    "covered",
    "decide",
    "forbids",
    "match_glob",
    "match_prefix",
    "matches",
    "path_verdict",
    "suggest_commands",
    "suggest_paths",
    "suggest_tool",
]
