"""Turn the outcomes that handlers return into one reply in the host's own form.

This module knows no host: the ``answers`` of the fire table say what the host can express.
"""

from __future__ import annotations

from hatch_agentplugin.fire.text import as_text, dump, like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Table = dict[str, Any]

#: Key of a handler's result -> the outcome it asks for. A decision is an outcome by itself.
_OUTCOMES = {
    "context": "context",
    "message": "message",
    "input": "modify-input",
    "output": "modify-output",
}
#: Decisions about one call, the strongest last. ``keep-going`` and ``halt`` are not compared.
_STRENGTH = ("allow", "ask", "deny")
_DECISIONS = (*_STRENGTH, "keep-going", "halt")
#: Replies are merged in this order. Decisions come last and win if two replies set the same key.
_ORDER = ("modify-input", "modify-output", "context", "message", *_DECISIONS)
_MISSING = object()


class InvalidResult(ValueError):
    """A handler's result that can't be used; ``kind`` is ``returned`` or ``illegal``."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind


class Outcomes:
    """The outcomes of the handlers of one call so far."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}
        self.values: dict[str, Any] = {}

    def add(self, result: Any, table: Table) -> list[str]:
        """Add one handler's result and return the names of its outcomes.

        Raises InvalidResult, and then adds nothing.
        """
        outcomes = _outcomes_of(result, table)
        for outcome, value in outcomes.items():
            if outcome in ("modify-input", "modify-output"):
                self.values[outcome] = value
            elif value not in self.texts.setdefault(outcome, []):
                self.texts[outcome].append(value)
        return list(outcomes)

    def deny(self, reason: str) -> None:
        """Add a refusal on behalf of a hook that failed."""
        self.texts.setdefault("deny", []).append(reason)

    def merged(self) -> dict[str, Any]:
        """Return all outcomes as outcome -> text or value, without overruled decisions."""
        result: dict[str, Any] = {name: "\n\n".join(texts) for name, texts in self.texts.items()}
        result.update(self.values)
        return _strongest(result)


def _outcomes_of(result: Any, table: Table) -> dict[str, Any]:
    """Check a handler's result and return it as outcome -> text or value."""
    if result is None:
        return {}
    if not isinstance(result, dict):
        kind = type(result).__name__
        raise InvalidResult("returned", f"a handler must return None or a dict, not {kind}")
    outcomes: dict[str, Any] = {}
    for key, value in result.items():
        if value is None:
            continue
        if key in ("input", "output"):
            _check_json(key, value)
            outcomes[_OUTCOMES[key]] = value
        elif key in ("decision", "reason", "context", "message"):
            if not isinstance(value, str):
                raise InvalidResult("returned", f"{key} must be text, not {type(value).__name__}")
            if key in _OUTCOMES and value:
                outcomes[_OUTCOMES[key]] = value
        else:
            raise InvalidResult("returned", f"unknown key {key!r:.40}")
    decision = result.get("decision")
    if decision is not None:
        if decision not in _DECISIONS:
            raise InvalidResult("returned", f"unknown decision {decision!r:.40}")
        # Some hosts ignore a refusal without a reason, so a decision always has one.
        default = f"the plugin {table['plugin']} decided: {decision}"
        outcomes[decision] = result.get("reason") or default
    elif result.get("reason"):
        raise InvalidResult("returned", "a reason needs a decision")
    for outcome in outcomes:
        if outcome not in table["answers"]:
            legal = ", ".join(table["answers"]) or "none"
            why = f"{table['event']} does not allow {outcome}; allowed: {legal}"
            raise InvalidResult("illegal", why)
    return outcomes


def _check_json(key: str, value: Any) -> None:
    try:
        dump(value)
    except Exception:  # an object of the author may raise anything
        raise InvalidResult("returned", f"{key} must be JSON") from None


def _strongest(outcomes: dict[str, Any]) -> dict[str, Any]:
    """Return the outcomes in merge order, without those that a stronger decision overrules."""
    names = set(outcomes)
    if "halt" in names:
        names -= {"allow", "ask", "keep-going"}
    if "deny" in names:
        names -= {"allow", "ask", "modify-input"}
    if "ask" in names:
        names.discard("allow")
    return {name: outcomes[name] for name in _ORDER if name in names}


def degrade(
    outcomes: dict[str, Any], table: Table, notes: list[dict[str, str]], tool: str | None = None
) -> dict[str, Any]:
    """Return the outcomes that the host can express for a tool, as outcome -> text or value.

    For each outcome that becomes another one or is dropped, a note is added to ``notes``:
    ``outcome``, ``as`` (empty if dropped) and ``why``.
    """
    texts: dict[str, list[str]] = {}
    result: dict[str, Any] = {}
    for wanted, value in outcomes.items():
        outcome = _nearest(wanted, value, table["answers"], notes, tool)
        if not outcome:
            continue
        if outcome in ("modify-input", "modify-output"):
            result[outcome] = value
        else:
            text = value if isinstance(value, str) else notes[-1]["why"]
            texts.setdefault(outcome, []).append(text)
    result.update((name, "\n\n".join(parts)) for name, parts in texts.items())
    return _strongest(result)


def _nearest(
    wanted: str, value: Any, answers: Table, notes: list[dict[str, str]], tool: str | None
) -> str:
    """Return the outcome that expresses ``wanted`` on this host; empty if none does."""
    outcome = wanted
    for _ in range(len(_ORDER)):
        row = answers.get(outcome, {"drop": "the host has no answer for it"})
        if "reply" in row and _fits(row, value, tool):
            return outcome
        if "as" not in row:
            notes.append({"outcome": wanted, "as": "", "why": str(row.get("drop", ""))})
            return ""
        outcome = row["as"]
        notes.append({"outcome": wanted, "as": outcome, "why": str(row.get("why", ""))})
    return ""


def _fits(row: Table, value: Any, tool: str | None) -> bool:
    """Return False for text if the host only takes the shape of the tool's own result."""
    return "shapes" not in row or not isinstance(value, str) or _shape(row, tool) is not None


def _shape(row: Table, tool: str | None) -> Any:
    return next((shape for name, shape in row["shapes"] if like(tool or "", name)), None)


class Reply:
    """The answer to the host: text for standard output and standard error, and the exit status."""

    def __init__(self, out: str, status: int, error: str) -> None:
        self.out = out
        self.status = status
        self.error = error


def render(outcomes: dict[str, Any], table: Table, tool: str | None = None) -> Reply:
    """Return the reply for the outcomes that :func:`degrade` returned.

    Plain text for standard output is dropped if another outcome needs a JSON document.
    """
    reply: dict[str, Any] = {}
    for outcome, value in outcomes.items():
        limit = table.get("context_limit") or 10_000
        text = truncate(value, limit, table["plugin"]) if isinstance(value, str) else value
        values = {
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
            values["$output"] = value
            values["$output-text"] = as_text(value)
            if "shapes" in row and isinstance(value, str):
                values["$output"] = _fill(_shape(row, tool), values)
        _merge(reply, _fill(row["reply"], values))
    status, error = reply.pop("$exit", 0), reply.pop("$stderr", "")
    plain = reply.pop("$stdout", None)
    if plain is not None and not reply:
        return Reply(plain, status, error)
    document = reply or (None if status else table.get("silence"))
    return Reply("" if document is None else dump(document) + "\n", status, error)


def _fill(template: Any, values: dict[str, Any]) -> Any:
    """Return the template with its placeholders, which are whole strings, replaced by values."""
    if isinstance(template, str):
        return values.get(template, template) if template.startswith("$") else template
    if isinstance(template, list):
        return [_fill(item, values) for item in template]
    if isinstance(template, dict):
        filled = {key: _fill(value, values) for key, value in template.items()}
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
    """Return ``text`` in at most ``limit`` UTF-16 units, as most hosts count.

    Shortened text ends with a note that says so.
    """
    if _units(text) <= limit:
        return text
    note = f"\n[truncated by {plugin}: {len(text)} characters]"
    room = max(0, limit - len(note))
    kept = text[:room]
    while _units(kept) > room:
        kept = kept[: len(kept) - max(1, (_units(kept) - room) // 2)]
    return (kept + note)[:limit]


def _units(text: str) -> int:
    if text.isascii():
        return len(text)
    return len(text) + sum(char > "\uffff" for char in text)
