"""Colours for code: strings, comments, numbers, and the words that most languages share. The same as in the live view."""

from __future__ import annotations

import re

from nb_agentscope.render._element import Html, element, joined


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


WORDS = _words(
    """
    and as async await break case catch class const continue def default del do elif else enum except export
    extends false finally fn for from func function if impl import in interface is lambda let match mod mut new
    nil none not null or pass private pub public raise return self static struct super switch this throw trait
    true try type undefined use var void while with yield
    """
)
SQL_WORDS = _words(
    """
    and as case delete distinct drop else end exists from group having in inner is join left like limit not null
    offset on or order select then union unique update using values view when where with alter by create index
    insert into key primary set table
    """
)
HASH = frozenset(["python", "py", "bash", "sh", "shell", "yaml", "yml", "toml", "ruby", "r", "make", "dockerfile", ""])
"""Languages whose comments begin with `#`; the empty one may be any."""
PLAIN = frozenset(["text", "txt", "markdown", "md", "output", "console", "diff"])
_TOKEN = re.compile(
    r"""(?P<string>\"{3}[\s\S]*?(?:\"{3}|\Z)|'{3}[\s\S]*?(?:'{3}|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\.|[^`\\])*`?)"""
    r"""|(?P<comment>//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|--[^\n]*|\#[^\n]*)|(?P<number>\b[0-9][\w.]*)|(?P<word>[A-Za-z_]\w*)""",
    re.ASCII,
)
_LIMIT = 50_000


def highlight(code: str, language: str) -> Html:
    """`code` with marked parts; its text stays the same to the letter."""
    name = language.strip().lower()
    if len(code) > _LIMIT or name in PLAIN:
        return joined(code)
    parts: list[Html | str] = []
    start = 0
    for match in _TOKEN.finditer(code):
        if _marked(match, name):
            parts += [code[start : match.start()], element("span", match[0], cls=f"nbas-tok-{match.lastgroup}")]
            start = match.end()
    return joined(*parts, code[start:])


def _marked(match: re.Match[str], language: str) -> bool:
    if match.lastgroup == "comment":
        return _is_comment(match[0], language)
    if match.lastgroup == "word":
        return match[0].lower() in SQL_WORDS if language == "sql" else match[0] in WORDS
    return True


def _is_comment(text: str, language: str) -> bool:
    """Whether a comment of this kind exists in the language."""
    if text.startswith("#"):
        return language in HASH
    if text.startswith("--"):
        return language in ("sql", "lua")
    return language not in HASH or language == ""
