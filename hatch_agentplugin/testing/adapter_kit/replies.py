"""Checks replies against the host's templates, independently of the dispatcher."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

#: A text and a value with everything that needs escaping.
TEXT = 'The "reason", it\'s $HOME `x` \\n 日本 😀\nline two'
VALUE: dict[str, Any] = {"command": "ls 'a b' \"$c\"", "nested": [1, None, True, {"ü": ""}]}
#: Outcome -> the answer of the sample's handler.
ANSWERS: dict[str, dict[str, Any]] = {
    "allow": {"decision": "allow", "reason": TEXT},
    "deny": {"decision": "deny", "reason": TEXT},
    "ask": {"decision": "ask", "reason": TEXT},
    "keep-going": {"decision": "keep-going", "reason": TEXT},
    "halt": {"decision": "halt", "reason": TEXT},
    "context": {"context": TEXT},
    "message": {"message": TEXT},
    "modify-input": {"input": VALUE},
    "modify-output": {"output": TEXT},
}
_BY_PROCESS = ("$exit", "$stderr", "$stdout")


def problems(
    table: Mapping[str, Any], outcome: str, status: int, out: str, error: str
) -> Iterator[str]:
    """Yield every problem of the reply to one outcome."""
    template = template_of(table, outcome)
    if template is None:
        if (status, error) != (0, ""):
            yield f"expected status 0 and no standard error, got {status}, {error!r}"
        yield from _document(table.get("silence"), out, {})
        return
    value = ANSWERS[outcome].get("input", ANSWERS[outcome].get("output", TEXT))
    values = dict.fromkeys(("$reason", "$text", "$input", "$output", "$output-text"), value)
    if shapes := table["answers"][outcome].get("shapes"):
        values["$output"] = _shaped(shapes[0][1], value)
    values |= {"$event": table["native"], "$plugin": table["plugin"]}
    wanted = template.get("$exit", 0)
    if status != wanted:
        yield f"exit status is {status}, the template has {wanted}"
    words = values.get(template.get("$stderr", ""), template.get("$stderr", ""))
    if error.strip() != str(words).strip():
        yield f"standard error is {error!r}, the template has {words!r}"
    body = {key: item for key, item in template.items() if key not in _BY_PROCESS}
    if "$stdout" in template and not body:
        text = values.get(template["$stdout"], template["$stdout"])
        if out.strip() != str(text).strip():
            yield f"standard output is {out!r}, the template has {text!r}"
    elif body or not wanted:
        yield from _document(body or table.get("silence"), out, values)
    elif out:
        yield f"standard output is {out!r}, the template has none"


def _shaped(shape: Any, value: Any) -> Any:
    if isinstance(shape, Mapping):
        return {key: _shaped(item, value) for key, item in shape.items()}
    return value if shape == "$output" else shape


def template_of(table: Mapping[str, Any], outcome: str) -> dict[str, Any] | None:
    """Return the template of the reply to an outcome; None if the host drops it."""
    row = table["answers"][outcome]
    while "as" in row:
        row = table["answers"][row["as"]]
    found: dict[str, Any] | None = row.get("reply")
    return found


def _document(template: Any, out: str, values: Mapping[str, Any]) -> Iterator[str]:
    if template is None:
        if out:
            yield f"standard output is {out!r}, expected none"
        return
    try:
        document = json.loads(out)
    except ValueError:
        yield f"standard output is not JSON: {out!r}"
        return
    yield from _same(template, document, values, "reply")


def _same(template: Any, found: Any, values: Mapping[str, Any], where: str) -> Iterator[str]:
    if isinstance(template, Mapping) and isinstance(found, dict):
        for key in sorted({*template, *found}):
            if key not in template or key not in found:
                yield f"{where}.{key}: {'missing' if key in template else 'not in the template'}"
            else:
                yield from _same(template[key], found[key], values, f"{where}.{key}")
    elif isinstance(template, (list, tuple)) and isinstance(found, list):
        if len(template) != len(found):
            yield f"{where}: has {len(found)} items, the template {len(template)}"
        for number, (one, other) in enumerate(zip(template, found, strict=False)):
            yield from _same(one, other, values, f"{where}[{number}]")
    else:
        wanted = values.get(template, template) if isinstance(template, str) else template
        if found != wanted or type(found) is not type(wanted):
            yield f"{where}: is {found!r}, the template has {wanted!r}"
