"""Reads shell command lines without running them: what they delete and which files they write.

It understands quotes, separators and the usual wrappers, and no more: it guards against accidents,
not against malice. It does not import ``re`` and ``shlex``, for the same reason as ``files``.
"""

from __future__ import annotations

TYPE_CHECKING = False  # true for type checkers
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

#: Names of the parameters in which agents send a command.
_PARAMETERS = ("command", "commands", "cmd", "script", "input", "code")
_WRAPPERS = ("sudo", "doas", "env", "nice", "nohup", "time", "command", "exec", "builtin", "then",
             "do", "else", "!", "{", "xargs")  # fmt: skip
_SHELLS = ("sh", "bash", "zsh", "dash", "ksh", "eval")
#: Options of wrappers that take a value.
_WITH_VALUE = ("-u", "-g", "-n", "-C", "-S")
_HOMES = ("~", "$HOME", "${HOME}", "%USERPROFILE%", "$env:USERPROFILE")
_SYSTEM = ("bin", "boot", "dev", "etc", "home", "lib", "lib64", "opt", "proc", "root", "sbin",
           "sys", "usr", "var", "Applications", "Library", "System", "Users")  # fmt: skip


def deleted_everything(value: Any) -> str | None:
    """Return the root, home or system folder that a command deletes recursively, as spelled."""
    for words in _commands(value):
        if words and words[0].rpartition("/")[2] == "rm" and (found := _rm(words[1:])):
            return found
    return None


def redirected_files(value: Any) -> list[str]:
    """Return the files that commands write by ``>``, ``>>`` or ``tee``."""
    files = []
    for words in _commands(value):
        files += [words[n + 1] for n, word in enumerate(words[:-1]) if word == ">"]
        if words and words[0].rpartition("/")[2] == "tee":
            files += [word for word in words[1:] if not word.startswith("-")]
    return files


def _commands(value: Any) -> Iterator[list[str]]:
    """Yield the simple commands in a tool's input, also in ``sh -c``, as words without wrappers."""
    for line in _lines(value):
        words = line if isinstance(line, list) else None
        for command in [words] if words else _split(str(line)):
            command = _unwrapped(command)
            yield command
            if command and command[0].rpartition("/")[2] in _SHELLS:
                for word in command[1:]:
                    if " " in word:
                        yield from _commands(word)


def _lines(value: Any) -> Iterator[str | list[str]]:
    """Yield command lines, and lists that may be the words of one command."""
    if isinstance(value, str):
        if value.lstrip().startswith("["):
            from json import loads

            try:
                value = loads(value)
            except ValueError:
                yield value
                return
            yield from _lines(value)
        else:
            yield value
    elif isinstance(value, list):
        words = [item for item in value if isinstance(item, str)]
        yield words
        yield from words
    elif isinstance(value, dict):
        named = [value[name] for name in _PARAMETERS if name in value]
        for item in named or value.values():
            yield from _lines(item)


def _unwrapped(words: list[str]) -> list[str]:
    """Return a command without sudo, env, variable assignments and the like before it."""
    wrapped = False
    while words:
        name = words[0].rpartition("/")[2]
        if name in _WRAPPERS:
            wrapped = True
            words = words[1:]
        elif wrapped and words[0].startswith("-"):
            words = words[2 if words[0] in _WITH_VALUE else 1 :]
        elif "=" in words[0].lstrip("=") and words[0].split("=")[0].isidentifier():
            words = words[1:]
        else:
            break
    return words


def _rm(words: list[str]) -> str | None:
    options = [word for word in words if word.startswith("-") and word != "--"]
    short = "".join(word for word in options if not word.startswith("--"))
    if not ("r" in short or "R" in short or "--recursive" in options):
        return None
    return next((word for word in words if word not in options and _is_everything(word)), None)


def _is_everything(path: str) -> bool:
    """Return True for the root, a home folder, a system folder, and for everything in one."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    while parts and set(parts[-1]) <= set("*.?"):
        parts.pop()
    if path.startswith("/"):
        return not parts or (len(parts) == 1 and parts[0] in _SYSTEM) or _is_home(parts)
    return len(parts) == 1 and parts[0] in _HOMES


def _is_home(parts: list[str]) -> bool:
    from os import environ

    return "/" + "/".join(parts) == environ.get("HOME", "").rstrip("/")


def _split(line: str) -> list[list[str]]:
    """Split a line into simple commands, each a list of words; ``>`` is a word before its file."""
    commands: list[list[str]] = [[]]
    word, begun, quote, at = "", False, "", 0
    while at < len(line):
        char = line[at]
        at += 1
        if char == "\\" and quote != "'" and at < len(line):
            word, begun, at = word + line[at].strip("\n"), True, at + 1
        elif quote == "'" and char != "'":
            word += char
        elif char == quote:
            quote = ""
        elif char in "'\"" and not quote:
            quote, begun = char, True
        elif char == "`" or (char == "(" and (not quote or word.endswith("$"))):
            commands[-1] += [word.rstrip("$")] if begun else []
            commands.append([])
            word, begun, quote = "", False, ""
        elif quote:
            word += char
        elif char in " \t\n;&|()>":
            commands[-1] += [word] if begun else []
            word, begun = "", False
            if char == ">":
                commands[-1] += [] if commands[-1][-1:] == [">"] else [">"]
            elif char not in " \t" and not (char in "&|" and commands[-1][-1:] == [">"]):
                commands.append([])
        else:
            word, begun = word + char, True
    commands[-1] += [word] if begun else []
    return [command for command in commands if command]
