"""Command patterns like `git commit:*`."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

# One program and its arguments, with nothing in it that a shell would act on but word splitting, quotes, and names
# of files: no list, pipe, redirection, substitution, variable, assignment by backslash, or second line.
_PLAIN = r"""[^\s\x00-\x1f\x7f;&|<>()$`"'\\#]"""
_WORD = rf"""(?:{_PLAIN}|(?<=\S)\#|'[^'\x00-\x1f]*'|"[^"$`\\\x00-\x1f]*")+"""
_SIMPLE = re.compile(rf"{_WORD}(?:[ \t]+{_WORD})*")
_CMD_EXE = frozenset("&|<>^%()!\n")
"""What the shell of Windows acts on even in single quotes."""

_MAGIC = frozenset("*?[")
_LISTS = re.compile(r"[;&|\n\r()]+")
_JOINTS = re.compile(r"[\s${},<>=]+")
_QUOTES = re.compile(r"[\"'\\]")


def match_prefix(pattern: str, command: object, *, loose: bool = False) -> bool:
    r"""Whether a shell command is what a pattern names.

    `git commit:*` is `git commit` with any arguments, `npm test` this command alone; `*` stands for a word or a part
    of one (as the last word: for any arguments), `\*` for an asterisk.

    Narrow (for allow rules): only one plain command with no list, pipe, redirection, substitution, variable or
    assignment can fit, unless the pattern is the whole command, letter by letter.

    Loose (for deny and ask rules): any command anywhere in the text suffices (behind `;`, `&&`, `sudo`, `X=1`, in
    quotes or substitutions), in any case, by any path to the program, with other words between. What a shell
    composes at run time cannot be seen: a deny rule is a guard rail, no sandbox.

    Args:
        pattern: The rule's content.
        command: The argument of the call. None never fits, what is no str fits loosely.
        loose: False for allow rules, True for deny and ask rules.
    """
    if not isinstance(command, str):
        return loose and command is not None
    return _occurs(pattern, command) if loose else _is_just(pattern.strip(), command.strip(" \t\r\n"))


def plain_words(command: str) -> list[str] | None:
    """The words of one plain command, or None if a shell would do more than run one program."""
    if not _SIMPLE.fullmatch(command) or (os.name == "nt" and not _CMD_EXE.isdisjoint(command)):
        return None
    words = shlex.split(command)
    return None if "=" in words[0] else words


def literal(command: str) -> str:
    """The pattern that names exactly this command."""
    return command.replace("\\", "\\\\").replace("*", r"\*")


def _is_just(pattern: str, command: str) -> bool:
    prefix, open_end = pattern.removesuffix(":*"), pattern.endswith(":*")
    if not open_end and _unescaped(pattern) == command:
        return True
    words, wanted = plain_words(command), prefix.split()
    if words is None or not wanted:
        return False
    if wanted[-1] == "*":
        wanted, open_end = wanted[:-1], True
    if len(words) < len(wanted) or (len(words) > len(wanted) and not open_end):
        return False
    return all(_is_word(want, word) for want, word in zip(wanted, words, strict=False))


def _unescaped(pattern: str) -> str | None:
    """The command that a pattern without wildcards names, or None."""
    if re.search(r"(?<!\\)(?:\\\\)*\*", pattern):
        return None
    return re.sub(r"\\([\\*])", r"\1", pattern)


def _is_word(want: str, word: str) -> bool:
    if want == "*":
        return True
    if _unescaped(want) is not None:
        return _unescaped(want) == word
    if ".." in word.split("/") or "{" in word:  # would leave the folder that the pattern shows
        return False
    parts = re.findall(r"\\[\\*]|.", want, re.DOTALL)
    return re.fullmatch("".join("[^/]*" if part == "*" else re.escape(part[-1]) for part in parts), word) is not None


def _occurs(pattern: str, command: str) -> bool:
    body = pattern.removesuffix(":*").strip()
    if body == pattern.strip() and body.casefold() in command.casefold():
        return True
    segments = [segment for reading in _readings(command) for segment in _LISTS.split(reading)]
    wanted = [[word for word in _loose_words(part) if word != "*"] for part in _LISTS.split(body)]
    return all(any(_has(words, segment) for segment in segments) for words in wanted if words)


def _readings(command: str) -> tuple[str, str]:
    """The command with backslashes as escapes and as the separators of Windows, both kinds of substitution alike."""
    alike = re.sub(r"\\\r?\n", "", command).replace("`", "$(")
    return alike, alike.replace("\\", "/")


def _loose_words(text: str) -> Iterator[str]:
    """The words with quotes and escapes dropped, split wherever a shell could split them."""
    yield from (word for word in _JOINTS.split(_QUOTES.sub("", text).casefold()) if word)


def _has(wanted: Sequence[str], segment: str) -> bool:
    """Whether the program occurs, and behind it the other wanted words in this order or what a shell fills in."""
    words = list(_loose_words(segment))
    program = _program(wanted[0])
    first = next((at for at, word in enumerate(words) if _alike(program, _program(word))), None)
    if first is None:
        return False
    if "$" in segment or "xargs" in words:
        return True
    rest = iter(words[first + 1 :])
    return all(_is_flags(want, words) or any(_alike(want, word) for word in rest) for want in wanted[1:])


def _alike(want: str, word: str) -> bool:
    """Equal, either of them with wildcards."""
    return fnmatchcase(word, want) or (not _MAGIC.isdisjoint(word) and fnmatchcase(want, word))


def _is_flags(want: str, words: Sequence[str]) -> bool:
    """Whether all letters of `-rf` are given, in one word or several, in any order."""
    if not re.fullmatch(r"-[a-z]+", want):
        return False
    return set(want) <= {letter for word in words if re.fullmatch(r"-[a-z]+", word) for letter in word}


def _program(word: str) -> str:
    return word.rsplit("/", 1)[-1].removesuffix(".exe")
