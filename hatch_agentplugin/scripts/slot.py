"""Slot scripts: the shell text that the launcher runs for one event of one host. Build time only.

``slot_script`` is a pure function of the fire table. What the table lets a shell decide with
certainty is decided there; in doubt the script starts the dispatcher, which reads the same table.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from shlex import quote
from typing import Any

#: Started by the script; every failure to start is silence. ``sys.path`` gets our own folder and
#: the one beside the bundle last, so that nothing in them takes the place of a standard module.
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

#: Names that every JSON writer prints as they are, so that a text search for them is safe.
_PLAIN = re.compile(r"[A-Za-z0-9_.:@ -]+")

Table = Mapping[str, Any]


def slot_script(table: Table) -> str:
    """The text of ``SLOT.sh`` for a fire table."""
    lines = [f"# {table['native']} of {table['host']} for {table['plugin']}: made by the build"]
    commands = [hook for hook in table["hooks"] if "command" in hook and not hook.get("result")]
    if len(commands) < len(table["hooks"]):
        lines += [*_mark(table), *_before_handlers(table), *_OR_PYTHON]
    elif commands:
        before = [*_mark(table), *_before_commands(table)]
        lines += _in_background(before) if table.get("detached") else before
        lines += [*_NAMES, *_run_all(commands, table)]
    return "\n".join(lines) + "\n"


_FIRED = '{ true >"$AP_STATE/fired/$AP_HOST.$AP_EVENT"; } 2>/dev/null'


def _mark(table: Table) -> list[str]:
    """Record that the event has fired, unless it may turn out to be another host's."""
    return [] if table.get("readers") else [_FIRED]


def _before_handlers(table: Table) -> list[str]:
    """End without Python where the payload can't be for any of the hooks."""
    if table.get("stdin_may_stay_open") or not _misses(table):
        return []
    return _look(table, certain=False)


def _before_commands(table: Table) -> list[str]:
    """Leave to the dispatcher what the shell can't be sure of."""
    filters = not table["exact"] and any("tools" in hook for hook in table["hooks"])
    parse = bool(filters or table.get("only"))
    readers = table.get("readers")
    if not (parse or table.get("not_when") or readers):
        return []
    after = [_FIRED] if readers else []
    if table.get("stdin_may_stay_open"):
        return _OR_PYTHON
    return [*_look(table, certain=not parse), *after]


#: The dispatcher's command line, and the shell replaced by it. Where the shell has read nothing
#: the dispatcher reads the payload itself.
_ARGUMENTS = (
    f"set -- -I -S -X utf8 -c {quote(BOOTSTRAP)} "
    '"$AP_RUNTIME" "${AP_BUNDLE%/*}" "$AP_BUNDLE" "$AP_STATE" "$AP_HOST" "$AP_SLOT"'
)
#: Before each of its starts. A package that gets its interpreter from elsewhere asks for it here.
HAS_PYTHON = '[ -x "$AP_PYTHON" ] || exit 0'
_OR_PYTHON = [HAS_PYTHON, _ARGUMENTS, 'exec "$AP_PYTHON" "$@"']

#: The same with the payload that the shell has read. A small here-document costs no process in
#: dash and its kin; other shells write a file for it, which may fail, and get a pipe.
_HAND_OVER = [
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


# --- looking at the payload without parsing it ---


def _misses(table: Table) -> list[str]:
    """Tests of which each must hold, else nothing here fires.

    Inside a JSON string a quote is always escaped, so ``"Name"`` with its quotes is found only
    where a whole string, or a key, is that name.
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
    """A test for a payload that may name no tool, where a hook fails closed."""
    if not any(hook.get("on_error") == "deny" for hook in table["hooks"]):
        return []
    keys = {path[-1] for path in table["fields"].get("tool") or ()}
    spelt = [f'"{key}":{space}"' for key in sorted(map(str, keys)) for space in ("", " ")]
    return [f"! {_has(spelt)}"]


def _doubts(table: Table) -> list[str]:
    """Texts of which none may be in a payload if the shell is to be sure without parsing."""
    texts = [_exactly(value) for _, values in table.get("not_when") or () for value in values]
    for marks in (table.get("readers") or {}).values():
        texts += [_exactly(mark["field"][-1]) for mark in marks if "field" in mark]
    return texts


def _start_of(pattern: str) -> str:
    """What a payload must hold for the tool pattern to fit; empty where that can't be said."""
    start, star, _ = pattern.partition("*")
    if not _PLAIN.fullmatch(start):
        return ""
    return f'"{start}' if star else f'"{start}"'


def _exactly(value: Any) -> str:
    """How the value is spelt in JSON; empty where there are several spellings."""
    if isinstance(value, str):
        return f'"{value}"' if _PLAIN.fullmatch(value) else ""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return ""


def _look(table: Table, *, certain: bool) -> list[str]:
    """Read the payload, end where nothing fires, and start the dispatcher where one must parse.

    ``certain``: where no doubt is found the script goes on by itself.
    """
    lines = ["if AP_IN=$(cat 2>/dev/null); then"]
    misses = [f"{test} || exit 0" for test in _misses(table)]
    if misses:  # what does not look whole is not searched: the dispatcher says what becomes of it
        lines += ["case $AP_IN in '{'*'}')", *misses, ";; esac"]
    hand_over, doubts = _HAND_OVER, _doubts(table)
    if certain and all(doubts):
        tests = [f'[ "${{{name}+x}}" ]' for name in _reader_variables(table)]
        tests += [_has(doubts)] if doubts else []
        hand_over = [f"if {' || '.join(tests)}; then", *hand_over, "fi"]
    return [*lines, *hand_over, "else", *_OR_PYTHON, "fi"]


def _reader_variables(table: Table) -> list[str]:
    readers = (table.get("readers") or {}).values()
    return [mark["env"] for marks in readers for mark in marks if "env" in mark]


def _has(texts: Sequence[str]) -> str:
    """A test whether the payload holds one of the texts."""
    if not texts:
        return "false"
    found = "|".join(f"*{quote(text)}*" for text in dict.fromkeys(texts))
    return f"case $AP_IN in {found}) ;; *) false;; esac"


# --- commands ---


def _in_background(before: Sequence[str]) -> list[str]:
    """Start this script anew in a session of its own, and leave."""
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


#: The variables that commands see, and the data folder, which is the user's alone.
_NAMES = [
    "PLUGIN_ROOT=$AP_BUNDLE PLUGIN_DATA=$AP_STATE/data",
    "AGENT_PLUGIN_HOST=$AP_HOST AGENT_PLUGIN_EVENT=$AP_EVENT",
    "export PLUGIN_ROOT PLUGIN_DATA AGENT_PLUGIN_HOST AGENT_PLUGIN_EVENT",
    '[ -d "$PLUGIN_DATA" ] || (umask 077; exec mkdir -p "$PLUGIN_DATA") 2>/dev/null',
]


def _run_all(commands: Sequence[Table], table: Table) -> list[str]:
    """All commands in order. Where they may take longer than the host waits, the rest of them
    goes on behind its back."""
    lines = [line for hook in commands for line in _run(hook, table)]
    seconds = max(1, math.floor(table["deadline"]))
    if not table.get("detached") and sum(_whole(hook) for hook in commands) > seconds:
        wait = f"sleep {seconds} </dev/null >/dev/null & AP_D=$!"
        lines = [wait, "(", *lines, 'kill -9 "$AP_D") </dev/null >/dev/null &', 'wait "$AP_D"']
    # For good, not for a group: a shell keeps a copy of what a group's redirection hides, and the
    # host would wait for the end of that copy in a background process.
    return ["exec 2>/dev/null", *lines]


def _whole(hook: Table) -> int:
    """The timeout in whole seconds, since not every ``sleep`` knows fractions."""
    return max(1, math.ceil(float(hook["timeout"])))


def _run(hook: Table, table: Table) -> list[str]:
    """Start the command, and beside it a watcher that ends it when its time is over."""
    command = hook["command"]
    program = f'"$PLUGIN_ROOT"{quote(command[1:])}' if command.startswith("./") else quote(command)
    words = " ".join(["exec", program, *(_fill(arg) for arg in hook.get("args") or ())])
    before = [f"export {name}={_fill(value)}" for name, value in (hook.get("env") or {}).items()]
    if hook.get("cwd"):
        before.append(f"cd {_folder(hook['cwd'])} || exit")
    # The sleep is killed the hard way: any other signal is lost in a child that still has to exec.
    end = 'kill "$AP_P"; sleep 1; kill -9 "$AP_P"'
    watch = f"sleep {_whole(hook)} & wait $! && {{ {end}; }}"
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
    """A word for the shell in which ``${PLUGIN_ROOT}`` and ``${PLUGIN_DATA}`` are filled in."""
    parts = re.split(r"\$\{(PLUGIN_ROOT|PLUGIN_DATA)\}", text)
    words = [f'"${part}"' if n % 2 else quote(part) for n, part in enumerate(parts) if part]
    return "".join(words) or "''"


def _folder(path: str) -> str:
    """The same for ``cd``, which would take some relative names for something else."""
    return _fill(path) if path.startswith(("/", "${", ".")) else _fill(f"./{path}")
