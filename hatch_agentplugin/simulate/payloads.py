"""Payloads as a host would send them, with the caller's values.

A payload is a recorded one of the adapter, or else is made from the fire table's ``fields``. For a
host without payloads the values go into the environment.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hatch_agentplugin.fire.text import first, like
from hatch_agentplugin.hosts.payloads import Case, example

#: Selector -> the usual input of such a tool.
INPUTS: dict[str | None, dict[str, Any]] = {
    "shell": {"command": "echo hello"},
    "file.read": {"file_path": "example.txt"},
    "file.write": {"file_path": "example.txt", "content": "hello\n"},
    "mcp": {"query": "hello"},
    "agent": {"description": "look around", "prompt": "Look around."},
    "web": {"url": "https://example.com/"},
    None: {},
}
#: Replaces ``*`` in patterns of tool names.
ANY_TEXT = "example"

#: Field in which most hosts name the event. For some hosts it is the signature of their readers.
_EVENT_NAME = "hook_event_name"

#: Event -> its fields besides session and cwd, with usual values.
EVENT_FIELDS: dict[str, dict[str, Any]] = {
    "session-start": {"reason": "startup"},
    "session-end": {"reason": "other"},
    "turn-start": {"prompt": "Say hello."},
    "turn-end": {"message": "Hello.", "stop_active": False},
    "subagent-start": {"agent": "general"},
    "subagent-stop": {"agent": "general", "message": "Done.", "stop_active": False},
    "pre-compact": {"reason": "auto"},
    "post-compact": {"reason": "auto"},
    "notification": {"message": "Waiting for you."},
    "post-tool-use": {"output": "hello\n"},
    "post-tool-use-failure": {"error": "exit status 1"},
    "stop-failure": {"error": "overloaded"},
}


def tool_name(table: Mapping[str, Any], tool: str | None = None) -> str | None:
    """Return the host's own name for a tool; None if it has none.

    ``tool`` is a selector (the first name of that kind is returned) or a native name (returned as
    it is). Without it, a tool that one of the hooks is for.
    """
    if tool is None:
        wanted = [name for hook in table["hooks"] for name in hook.get("tools") or ()]
        shells = [name for name, selector in table["tools"] if selector == "shell"]
        names = wanted or shells or [name for name, _ in table["tools"]]
        return names[0].replace("*", ANY_TEXT) if names else None
    for pattern, selector in table["tools"]:
        if selector == tool:
            return str(pattern).replace("*", ANY_TEXT)
    return None if tool in INPUTS else tool


def payload(
    table: Mapping[str, Any],
    *,
    cwd: str,
    slot: str = "",
    known: Mapping[str, Case] | None = None,
    **values: Any,
) -> dict[str, Any]:
    """Return a payload for the slot.

    ``values`` have the names of the table's ``fields`` and replace the usual ones; None leaves a
    field out; ``tool`` may be a selector. If ``known`` has a payload for the slot and the kind of
    tool, it is used, with ``values``, a session and the folder in it.
    """
    name = tool_name(table, values.get("tool"))
    real = example(known or {}, slot, table, name)
    if real is not None and not _is_of_a_reader(real, table):
        return _changed(real, table, cwd, name, values)
    said: dict[str, Any] = {
        "session": "simulated",
        "cwd": cwd,
        **EVENT_FIELDS.get(table["event"], {}),
    }
    if table["tool_event"]:
        values.pop("tool", None)
        kinds = [selector for pattern, selector in table["tools"] if name and like(name, pattern)]
        said |= {"tool": name, "call_id": "call-1", "input": INPUTS[kinds[0] if kinds else None]}
    said |= values
    if table.get("input_is_text") and said.get("input") is not None:
        said["input"] = json.dumps(said["input"])
    made: dict[str, Any] = {}
    if not any(one.get("field") == [_EVENT_NAME] for one in _signatures(table)):
        made[_EVENT_NAME] = table["native"]
    for path, allowed in table.get("only") or ():
        _put(made, path, allowed[0])
    for name, value in said.items():
        paths = table["fields"].get(name) or ()
        if paths and value is not None and first(made, list(paths)) is None:
            _put(made, paths[0], value)
    return made


def _changed(
    real: dict[str, Any],
    table: Mapping[str, Any],
    cwd: str,
    tool: str | None,
    values: Mapping[str, Any],
) -> dict[str, Any]:
    """Return a recorded payload with some fields changed, each where the host has it."""
    # A transcript that does not exist is worse than none.
    said = {"session": "simulated", "cwd": cwd, "transcript": None, **values}
    if table["tool_event"] and "tool" in values:
        said["tool"] = tool
    if table.get("input_is_text") and said.get("input") is not None:
        said["input"] = json.dumps(said["input"])
    for field, value in said.items():
        paths = table["fields"].get(field) or ()
        there = [path for path in paths if first(real, [path]) is not None]
        if value is None:
            for path in there:
                _put(real, path, None)
        elif paths and (there or field in values):
            _put(real, (there or paths)[0], value)
    return real


def environment(
    table: Mapping[str, Any], sent: Any, surroundings: Mapping[str, str], folder: Path
) -> dict[str, str]:
    """Return the environment in which the host would run a hook.

    ``surroundings`` is the environment of this process, without the variables of an agent that
    runs it. A host without payloads gets ``sent`` in variables; ``folder`` gets the files that
    they name.
    """
    carried: Mapping[str, str] = table.get("environment") or {}
    given = dict(surroundings)
    foreign = [one["env"] for one in _signatures(table) if "env" in one]
    own = [name.lstrip("@") for name in carried.values()]
    for name in (*foreign, *own, *(table.get("project_env") or ())):
        given.pop(name, None)
    return given | carry(sent if isinstance(sent, Mapping) else {}, carried, folder)


def carry(sent: Mapping[str, Any], names: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return the variables with the payload; ``folder`` gets the files that they name."""
    variables: dict[str, str] = {}
    for key, name in names.items():
        value = sent.get(key)
        if value is None:
            continue
        text = value if isinstance(value, str) else json.dumps(value)
        if name.startswith("@"):
            file = folder / f"payload-{key}.json"
            file.write_text(text, "utf-8")
            text = str(file)
        variables[name.lstrip("@")] = text
    return variables


def _is_of_a_reader(sent: Mapping[str, Any], table: Mapping[str, Any]) -> bool:
    fields = [one["field"] for one in _signatures(table) if "field" in one]
    return first(dict(sent), fields) is not None


def _signatures(table: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the signatures of all hosts that read this host's entries."""
    return [one for several in (table.get("readers") or {}).values() for one in several]


def _put(into: Any, path: Sequence[str | int], value: Any) -> None:
    """Set the value at a path; make missing objects and lists on the way."""
    *way, last = path
    for key, after in zip(way, path[1:], strict=True):
        fresh: Any = [] if isinstance(after, int) else {}
        into = _child(into, key, fresh)
    _make_room(into, last)
    into[last] = value


def _child(into: Any, key: str | int, fresh: Any) -> Any:
    _make_room(into, key)
    if isinstance(key, str):
        return into.setdefault(key, fresh)
    if into[key] is None:
        into[key] = fresh
    return into[key]


def _make_room(into: Any, key: str | int) -> None:
    if isinstance(key, int):
        into.extend([None] * (key + 1 - len(into)))
