"""The light classes of data behave as those of the standard library, which is asked the same."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from hatch_agentplugin import _record


def made_by(module: Any) -> Any:
    """The same class, defined with one of the two decorators."""

    @module.dataclass(frozen=True)
    class Thing:
        name: str
        tags: list[str] = module.field(default_factory=list)
        at: int = module.field(default=0, compare=False)
        kind: str = "x"

    return Thing


BOTH = [pytest.param(made_by(module), id=module.__name__) for module in (_record, dataclasses)]


@pytest.mark.parametrize("thing", BOTH)
def test_construction_comparison_and_copies(thing: Any) -> None:
    one = thing("a")
    assert (one.name, one.tags, one.at, one.kind) == ("a", [], 0, "x")
    assert one.tags is not thing("a").tags
    assert one == thing("a", at=5)
    assert one != thing("b")
    assert dataclasses.replace(one, kind="y") == thing("a", kind="y")
    assert dataclasses.asdict(one) == {"name": "a", "tags": [], "at": 0, "kind": "x"}
    assert [field.name for field in dataclasses.fields(one)] == ["name", "tags", "at", "kind"]
    assert repr(one).endswith("Thing(name='a', tags=[], at=0, kind='x')")


@pytest.mark.parametrize("thing", BOTH)
def test_what_is_refused(thing: Any) -> None:
    for wrong in (
        lambda: thing(),
        lambda: thing("a", [], 0, "x", "more"),
        lambda: thing("a", name="b"),
        lambda: thing("a", other=1),
        lambda: thing(tags=[], at=1, kind="y", other=1),
        lambda: dataclasses.replace(thing("a"), other=1),
    ):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(AttributeError):
        thing("a").name = "b"
