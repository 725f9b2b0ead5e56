"""A run parses each document a few times, however many entries come or go."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from hatch_agentplugin.edit.json_document import JsonDocument
from tests.activate.world import World, grouped, write

EVENTS = tuple(f"event-{number}" for number in range(13))
PLUGINS = tuple(f"plugin-{number}" for number in range(8))
#: Parsed when it is read, once without ours where something goes, and once to check the result.
MOST = 3


@pytest.fixture
def settings(plain: World) -> str:
    """Settings after years of use, and plugins with many entries in them."""
    project = {"allowed": ["Bash(ls:*)"], "history": ["ask me", "thanks"] * 20}
    text = json.dumps({"projects": {f"/home/me/{n}": project for n in range(300)}, "env": {}})
    plan = grouped(events=("turn-end",))
    (item,) = plan.scopes["user"]
    items = tuple(replace(item, at=("hooks", event), event=event) for event in EVENTS)
    for name in PLUGINS:
        plain.install(name, {"grouped": replace(plan, scopes={"user": items})})
    write(plain.home / ".grouped/settings.json", text)
    return text


@contextmanager
def at_most(count: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail if JSON is parsed more often meanwhile."""
    parse, parsed = JsonDocument.parse.__func__, []  # type: ignore[attr-defined]

    def counted(cls: type[JsonDocument], text: str) -> JsonDocument:
        parsed.append(len(text))
        document: JsonDocument = parse(cls, text)
        return document

    with monkeypatch.context() as patch:
        patch.setattr(JsonDocument, "parse", classmethod(counted))
        yield
    assert 0 < len(parsed) <= count, parsed


def test_each_run_parses_a_document_a_few_times(
    plain: World, settings: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also to warn of odd entries; twice for a run that is decided again under the lock."""
    file = plain.home / ".grouped/settings.json"
    with at_most(2 * MOST + 1, monkeypatch):
        plain.activate()
    assert set(json.loads(file.read_text())["hooks"]) == set(EVENTS)
    with at_most(1, monkeypatch):
        plain.activate()
    with at_most(2 * MOST, monkeypatch):
        plain.deactivate(PLUGINS[0])
    with at_most(2 * MOST, monkeypatch):
        plain.deactivate()
    assert file.read_text() == settings
