"""From what handlers said to one reply in the host's own words.

Nothing about a host is here: the ``answers`` of the fire table say what the host can take.
"""

from __future__ import annotations

from hatch_agentplugin.fire.text import as_text, dump, like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Table = dict[str, Any]

#: Key of an outcome dict -> the outcome it asks for (a decision names its own).
_KEYS = {
    "context": "context",
    "message": "message",
    "input": "modify-input",
    "output": "modify-output",
}
#: Decisions about one call, the stronger later. ``keep-going`` and ``halt`` stand alone.
_STRENGTH = ("allow", "ask", "deny")
_DECISIONS = (*_STRENGTH, "keep-going", "halt")
#: Replies are merged in this order, so that a decision has the last word about a shared key.
_ORDER = ("modify-input", "modify-output", "context", "message", *_DECISIONS)
_MISSING = object()


class InvalidResult(ValueError):
    """What a handler returned can't be used; ``kind`` is ``returned`` or ``illegal``."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind


class Outcomes:
    """What the handlers of one call have said so far."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}
        self.values: dict[str, Any] = {}

    def add(self, result: Any, table: Table) -> list[str]:
        """Take one handler's outcome; the names of what it asks for. Raises :class:`InvalidResult`."""
        wishes = _wishes(result, table)
        for outcome, value in wishes.items():
            if outcome in ("modify-input", "modify-output"):
                self.values[outcome] = value
            elif value not in self.texts.setdefault(outcome, []):
                self.texts[outcome].append(value)
        return list(wishes)

    def deny(self, reason: str) -> None:
        """Refuse on behalf of a hook that has failed."""
        self.texts.setdefault("deny", []).append(reason)

    def merged(self) -> dict[str, Any]:
        """Everything said, as outcome -> text or value, weaker decisions left out."""
        result: dict[str, Any] = {name: "\n\n".join(texts) for name, texts in self.texts.items()}
        result.update(self.values)
        return _strongest(result)


def _wishes(result: Any, table: Table) -> dict[str, Any]:
    """A handler's result as outcome -> text or value, after every check."""
    if result is None:
        return {}
    if not isinstance(result, dict):
        raise InvalidResult(
            "returned", f"a handler returns None or a dict, not {type(result).__name__}"
        )
    wishes: dict[str, Any] = {}
    for key, value in result.items():
        if value is None:
            continue
        if key in ("input", "output"):
            _check_json(key, value)
            wishes[_KEYS[key]] = value
        elif key in ("decision", "reason", "context", "message"):
            if not isinstance(value, str):
                raise InvalidResult("returned", f"{key} is text, not {type(value).__name__}")
            if key in _KEYS and value:
                wishes[_KEYS[key]] = value
        else:
            raise InvalidResult("returned", f"unknown key {key!r:.40}")
    decision = result.get("decision")
    if decision is not None:
        if decision not in _DECISIONS:
            raise InvalidResult("returned", f"unknown decision {decision!r:.40}")
        # Some hosts let the call through when a refusal gives no reason, so there is always one.
        wishes[decision] = result.get("reason") or f"{decision}, says the plugin {table['plugin']}"
    elif result.get("reason"):
        raise InvalidResult("returned", "a reason without a decision")
    for outcome in wishes:
        if outcome not in table["answers"]:
            legal = ", ".join(table["answers"]) or "none"
            raise InvalidResult(
                "illegal", f"{outcome} is no outcome of {table['event']}; allowed: {legal}"
            )
    return wishes


def _check_json(key: str, value: Any) -> None:
    try:
        dump(value)
    except Exception:  # whatever a strange object does when it is looked at
        raise InvalidResult("returned", f"{key} is not JSON") from None


def _strongest(wishes: dict[str, Any]) -> dict[str, Any]:
    """Leave out what a stronger decision makes meaningless."""
    names = set(wishes)
    if "halt" in names:
        names -= {"allow", "ask", "keep-going"}
    if "deny" in names:
        names -= {"allow", "ask", "modify-input"}
    if "ask" in names:
        names.discard("allow")
    return {name: wishes[name] for name in _ORDER if name in names}


def degrade(
    wishes: dict[str, Any], table: Table, notes: list[dict[str, str]], tool: str | None = None
) -> dict[str, Any]:
    """What the host can take of ``wishes`` for a tool, as outcome -> text or value.

    Every outcome that becomes another one or nothing adds a note with ``outcome``, ``as`` (empty
    when it is dropped) and ``why``.
    """
    texts: dict[str, list[str]] = {}
    settled: dict[str, Any] = {}
    for wish, value in wishes.items():
        outcome = _follow(wish, value, table["answers"], notes, tool)
        if not outcome:
            continue
        if outcome in ("modify-input", "modify-output"):
            settled[outcome] = value
        else:
            text = value if isinstance(value, str) else notes[-1]["why"]
            texts.setdefault(outcome, []).append(text)
    settled.update((name, "\n\n".join(parts)) for name, parts in texts.items())
    return _strongest(settled)


def _follow(
    wish: str, value: Any, answers: Table, notes: list[dict[str, str]], tool: str | None
) -> str:
    """The outcome that stands for ``wish`` on this host; empty when there is none."""
    outcome = wish
    for _ in range(len(_ORDER)):
        row = answers.get(outcome, {"drop": "the host has no answer for it"})
        if "reply" in row and _fits(row, value, tool):
            return outcome
        if "as" not in row:
            notes.append({"outcome": wish, "as": "", "why": str(row.get("drop", ""))})
            return ""
        outcome = row["as"]
        notes.append({"outcome": wish, "as": outcome, "why": str(row.get("why", ""))})
    return ""


def _fits(row: Table, value: Any, tool: str | None) -> bool:
    """Whether the host takes text for this tool: some want the shape of the tool's own result."""
    return "shapes" not in row or not isinstance(value, str) or _shape(row, tool) is not None


def _shape(row: Table, tool: str | None) -> Any:
    return next((shape for name, shape in row["shapes"] if like(tool or "", name)), None)


class Reply:
    """What the host gets: text for standard output and standard error, and the exit status."""

    def __init__(self, out: str, status: int, error: str) -> None:
        self.out = out
        self.status = status
        self.error = error


def render(settled: dict[str, Any], table: Table, tool: str | None = None) -> Reply:
    """The reply to what :func:`degrade` has left. Plain text gives way to a JSON document."""
    reply: dict[str, Any] = {}
    for outcome, value in settled.items():
        limit = table.get("context_limit") or 10_000
        text = truncate(value, limit, table["plugin"]) if isinstance(value, str) else value
        slots = {
            "$reason": text,
            "$text": text,
            "$input": value if outcome == "modify-input" else _MISSING,
            "$output": _MISSING,
            "$output-text": _MISSING,
            "$event": table["native"],
            "$plugin": table["plugin"],
        }
        row = table["answers"][outcome]
        if outcome == "modify-output":
            slots["$output"] = value
            slots["$output-text"] = as_text(value)
            if "shapes" in row and isinstance(value, str):
                slots["$output"] = _fill(_shape(row, tool), slots)
        _merge(reply, _fill(row["reply"], slots))
    status, error = reply.pop("$exit", 0), reply.pop("$stderr", "")
    plain = reply.pop("$stdout", None)
    if plain is not None and not reply:
        return Reply(plain, status, error)
    document = reply or (None if status else table.get("silence"))
    return Reply("" if document is None else dump(document) + "\n", status, error)


def _fill(template: Any, slots: dict[str, Any]) -> Any:
    if isinstance(template, str):
        return slots.get(template, template) if template.startswith("$") else template
    if isinstance(template, list):
        return [_fill(item, slots) for item in template]
    if isinstance(template, dict):
        filled = {key: _fill(value, slots) for key, value in template.items()}
        return {key: value for key, value in filled.items() if value is not _MISSING}
    return template


def _merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        present = into.get(key)
        if isinstance(present, dict) and isinstance(value, dict):
            _merge(present, value)
        else:
            into[key] = value


def truncate(text: str, limit: int, plugin: str) -> str:
    """``text`` in at most ``limit`` UTF-16 units, which is how most hosts count; a note says so."""
    if _units(text) <= limit:
        return text
    note = f"\n[cut by {plugin}: {len(text)} characters]"
    room = max(0, limit - len(note))
    kept = text[:room]
    while _units(kept) > room:
        kept = kept[: len(kept) - max(1, (_units(kept) - room) // 2)]
    return (kept + note)[:limit]


def _units(text: str) -> int:
    if text.isascii():
        return len(text)
    return len(text) + sum(char > "\uffff" for char in text)
