"""Slot scripts: the shell text that the launcher runs for one native event of one host.

``slot_script`` is a pure function of the fire table. The script decides only what a shell can
decide with certainty. In doubt it starts the dispatcher, which reads the same table.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from shlex import quote
from typing import Any

#: Starts the dispatcher; if our package is gone, it exits silently. ``sys.path`` ends with our own
#: folder and the folder of the bundle, so that nothing in them shadows a standard module.
BOOTSTRAP = """\
import sys
a = sys.argv
sys.path += a[1], a[2]
try:
    from hatch_agentplugin.fire.dispatch import main
except Exception:
    sys.exit()
main(*a[3:7])
"""

#: Names that every JSON writer prints unchanged, so that a text search finds them.
_PLAIN = re.compile(r"[A-Za-z0-9_.:@ -]+")

Table = Mapping[str, Any]


def slot_script(table: Table) -> str:
    """Return the text of ``SLOT.sh`` for a fire table."""
    lines = [f"# {table['native']} of {table['host']} for {table['plugin']}: made by the build"]
    commands = [hook for hook in table["hooks"] if "command" in hook and not hook.get("result")]
    if len(commands) < len(table["hooks"]):
        lines += [*_stamp(table), *_before_handlers(table), *_DISPATCH]
    elif commands:
        before = [*_stamp(table), *_before_commands(table)]
        lines += _in_background(before) if table.get("detached") else before
        lines += [*_VARIABLES, *_run_all(commands, table)]
    return "\n".join(lines) + "\n"


#: Sets the fired stamp of the event.
_STAMP = '{ true >"$AP_STATE/fired/$AP_HOST.$AP_EVENT"; } 2>/dev/null'


def _stamp(table: Table) -> list[str]:
    """Set the fired stamp, unless the event may be another host's."""
    return [] if table.get("readers") else [_STAMP]


def _before_handlers(table: Table) -> list[str]:
    """Exit without Python if the payload can't be for any of the hooks."""
    if table.get("stdin_may_stay_open") or not _misses(table):
        return []
    return _search(table, certain=False)


def _before_commands(table: Table) -> list[str]:
    """Leave a payload to the dispatcher if the shell can't be certain."""
    filters = not table["exact"] and any("tools" in hook for hook in table["hooks"])
    parse = bool(filters or table.get("only"))
    readers = table.get("readers")
    if not (parse or table.get("not_when") or readers):
        return []
    after = [_STAMP] if readers else []
    if table.get("stdin_may_stay_open"):
        return _DISPATCH
    return [*_search(table, certain=not parse), *after]


#: The arguments of the interpreter for the dispatcher.
_ARGUMENTS = (
    f"set -- -I -S -X utf8 -c {quote(BOOTSTRAP)} "
    '"$AP_RUNTIME" "${AP_BUNDLE%/*}" "$AP_BUNDLE" "$AP_STATE" "$AP_HOST" "$AP_SLOT"'
)
#: Comes before each start of the dispatcher. A host package with the runner uvx asks for an
#: interpreter here.
HAS_PYTHON = '[ -x "$AP_PYTHON" ] || exit 0'
#: Replaces the shell by the dispatcher, which reads the payload itself.
_DISPATCH = [HAS_PYTHON, _ARGUMENTS, 'exec "$AP_PYTHON" "$@"']

#: Starts the dispatcher with the payload that the shell has read. In dash and similar shells a small
#: here-document costs no process. Other shells write it to a file, which may fail, so they use a pipe.
_DISPATCH_WITH_PAYLOAD = [
    HAS_PYTHON,
    _ARGUMENTS,
    'if [ "${BASH_VERSION-}${KSH_VERSION-}${ZSH_VERSION-}" ]; then',
    'printf %s "$AP_IN" | "$AP_PYTHON" "$@"',
    "AP_IN=$?; trap - 0; [ $AP_IN -ge 126 ] && AP_IN=0",
    "exit $AP_IN",
    "fi",
    'exec "$AP_PYTHON" "$@" <<AP_END',
    "$AP_IN",
    "AP_END",
]


# --- searching the payload without parsing it ---


def _misses(table: Table) -> list[str]:
    """Return shell tests. If one of them fails, no hook runs.

    Inside a JSON string quotes are escaped, so ``"Name"`` with its quotes matches only a whole
    string or key.
    """
    tests: list[str] = []
    hooks = table["hooks"]
    if not table["exact"] and all("tools" in hook for hook in hooks):
        names = [_start_of(name) for hook in hooks for name in hook["tools"]]
        if all(names):
            tests.append(" || ".join([_has(names), *_names_no_tool(table)]))
    groups = [[_exactly(value) for value in values] for _, values in table.get("only") or ()]
    return [*tests, *(_has(group) for group in groups if all(group))]


def _names_no_tool(table: Table) -> list[str]:
    """Return a test for a payload without a tool, if a hook denies on errors."""
    if not any(hook.get("on_error") == "deny" for hook in table["hooks"]):
        return []
    keys = {path[-1] for path in table["fields"].get("tool") or ()}
    spelt = [f'"{key}":{space}"' for key in sorted(map(str, keys)) for space in ("", " ")]
    return [f"! {_has(spelt)}"]


def _doubts(table: Table) -> list[str]:
    """Return texts. If the payload holds none of them, the shell is certain without parsing."""
    texts = [_exactly(value) for _, values in table.get("not_when") or () for value in values]
    texts += [_exactly(one["field"][-1]) for one in _signatures(table) if "field" in one]
    return texts


def _start_of(pattern: str) -> str:
    """Return a text that a payload for the tool pattern must hold; empty if none is certain."""
    start, star, _ = pattern.partition("*")
    if not _PLAIN.fullmatch(start):
        return ""
    return f'"{start}' if star else f'"{start}"'


def _exactly(value: Any) -> str:
    """Return the value's only spelling in JSON; empty if it has several."""
    if isinstance(value, str):
        return f'"{value}"' if _PLAIN.fullmatch(value) else ""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return ""


def _search(table: Table, *, certain: bool) -> list[str]:
    """Read the payload, exit if no hook runs, and start the dispatcher if one must parse.

    If ``certain``, the script continues by itself where :func:`_doubts` are absent.
    """
    lines = ["if AP_IN=$(cat 2>/dev/null); then"]
    misses = [f"{test} || exit 0" for test in _misses(table)]
    if misses:  # only if the payload seems to be a whole object; else the dispatcher decides
        lines += ["case $AP_IN in '{'*'}')", *misses, ";; esac"]
    dispatch, doubts = _DISPATCH_WITH_PAYLOAD, _doubts(table)
    if certain and all(doubts):
        tests = [f'[ "${{{name}+x}}" ]' for name in _reader_variables(table)]
        tests += [_has(doubts)] if doubts else []
        dispatch = [f"if {' || '.join(tests)}; then", *dispatch, "fi"]
    return [*lines, *dispatch, "else", *_DISPATCH, "fi"]


def _reader_variables(table: Table) -> list[str]:
    return [one["env"] for one in _signatures(table) if "env" in one]


def _signatures(table: Table) -> list[Table]:
    """Return the signatures of all hosts that may read this host's entries."""
    return [one for signatures in (table.get("readers") or {}).values() for one in signatures]


def _has(texts: Sequence[str]) -> str:
    """Return a test that holds if the payload holds one of the texts."""
    if not texts:
        return "false"
    found = "|".join(f"*{quote(text)}*" for text in dict.fromkeys(texts))
    return f"case $AP_IN in {found}) ;; *) false;; esac"


# --- commands ---


def _in_background(before: Sequence[str]) -> list[str]:
    """Start this script again in a new session, and exit."""
    again = '/bin/sh "$AP_BUNDLE/fire/$AP_HOST/$AP_SLOT.sh" </dev/null >/dev/null 2>&1 &'
    return [
        'if [ "${AP_BACK-}" ]; then',
        "unset AP_BACK; trap '' HUP",
        "AGENT_PLUGIN_FIRING=${AGENT_PLUGIN_FIRING%@*}@$$; export AGENT_PLUGIN_FIRING",
        "else",
        *before,
        "AP_BACK=1; export AP_BACK AP_HOST AP_SLOT AP_EVENT AP_STATE AP_BUNDLE",
        f"if command -v setsid >/dev/null 2>&1; then setsid {again}",
        f"else {again}",
        "fi",
        "exit 0",
        "fi",
    ]


#: Sets the variables for commands and makes the data folder, readable by the user alone.
_VARIABLES = [
    "PLUGIN_ROOT=$AP_BUNDLE PLUGIN_DATA=$AP_STATE/data",
    "AGENT_PLUGIN_HOST=$AP_HOST AGENT_PLUGIN_EVENT=$AP_EVENT",
    "export PLUGIN_ROOT PLUGIN_DATA AGENT_PLUGIN_HOST AGENT_PLUGIN_EVENT",
    '[ -d "$PLUGIN_DATA" ] || (umask 077; exec mkdir -p "$PLUGIN_DATA") 2>/dev/null',
]


def _run_all(commands: Sequence[Table], table: Table) -> list[str]:
    """Run all commands in order.

    If they may take longer than the host waits, they run in the background and the script ends at
    the deadline.
    """
    lines = [line for hook in commands for line in _run(hook, table)]
    seconds = max(1, math.floor(table["deadline"]))
    if not table.get("detached") and sum(_seconds(hook) for hook in commands) > seconds:
        wait = f"sleep {seconds} </dev/null >/dev/null & AP_D=$!"
        lines = [wait, "(", *lines, 'kill -9 "$AP_D") </dev/null >/dev/null &', 'wait "$AP_D"']
    # Not for a group of commands: a shell keeps a copy of a redirected descriptor, and the host would
    # wait until a background process has closed that copy.
    return ["exec 2>/dev/null", *lines]


def _seconds(hook: Table) -> int:
    """Return the timeout in whole seconds, because not every ``sleep`` takes fractions."""
    return max(1, math.ceil(float(hook["timeout"])))


def _run(hook: Table, table: Table) -> list[str]:
    """Start the command, and a watcher that terminates it at its timeout."""
    command = hook["command"]
    program = f'"$PLUGIN_ROOT"{quote(command[1:])}' if command.startswith("./") else quote(command)
    words = " ".join(["exec", program, *(_fill(arg) for arg in hook.get("args") or ())])
    before = [f"export {name}={_fill(value)}" for name, value in (hook.get("env") or {}).items()]
    if hook.get("cwd"):
        before.append(f"cd {_folder(hook['cwd'])} || exit")
    # SIGKILL for the sleep: any other signal is lost in a child that has not yet called exec.
    end = 'kill "$AP_P"; sleep 1; kill -9 "$AP_P"'
    watch = f"sleep {_seconds(hook)} & wait $! && {{ {end}; }}"
    lines = [
        f"({'; '.join([*before, words])}) </dev/null >/dev/null & AP_P=$!",
        f"(trap 'kill -9 $!; exit' TERM; {watch}) </dev/null >/dev/null & AP_W=$!",
        'wait "$AP_P"; kill "$AP_W"',
    ]
    if not hook.get("when"):
        return lines
    folders = [f'"${{{name}:-.}}"' for name in table.get("project_env") or ()] or ["."]
    test = " || ".join(f"[ -e {folder}/{quote(hook['when'])} ]" for folder in folders)
    return [f"if {test}; then", *lines, "fi"]


def _fill(text: str) -> str:
    """Return a shell word with ``${PLUGIN_ROOT}`` and ``${PLUGIN_DATA}`` as variables."""
    parts = re.split(r"\$\{(PLUGIN_ROOT|PLUGIN_DATA)\}", text)
    words = [f'"${part}"' if n % 2 else quote(part) for n, part in enumerate(parts) if part]
    return "".join(words) or "''"


def _folder(path: str) -> str:
    """Return the word for ``cd``, which gives some relative names a meaning of their own."""
    return _fill(path) if path.startswith(("/", "${", ".")) else _fill(f"./{path}")
