"""JSON to frozen dataclasses and back: strict in types, closed in keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest

from hatch_agentplugin import codec


@dataclass(frozen=True)
class Row:
    """One field of every kind."""

    text: str = ""
    whole: int = 0
    real: float = 0.0
    flag: bool = False
    fixed: Literal[1, "one"] = 1
    maybe: int | None = None
    many: tuple[int, ...] = ()
    named: dict[str, int] | None = None
    is_: int = 0
    free: Any = None


def test_round_trip() -> None:
    """Every kind of field comes back as it was."""
    row = Row("é", 1, 1.5, True, "one", 2, (3, 4), {"a": 5}, 6, {"free": [None]})
    assert codec.decode(Row, codec.parse(codec.encode(row))) == row
    assert codec.plain(row)["is"] == 6


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("text", 1),
        ("whole", True),
        ("whole", 1.0),
        ("whole", "1"),
        ("real", 1),
        ("real", True),
        ("flag", 1),
        ("flag", 0),
        ("fixed", True),
        ("fixed", 1.0),
        ("maybe", False),
        ("many", {}),
        ("many", [True]),
        ("named", {"a": True}),
        ("is", True),
        ("is_", 1),
        ("unknown", 1),
    ],
)
def test_other_types_are_refused_by_key(key: str, value: Any) -> None:
    """No value is converted: true is not 1, and 1 is not 1.0."""
    with pytest.raises(codec.Malformed) as error:
        codec.decode(Row, {key: value})
    assert error.value.where.startswith(key)
