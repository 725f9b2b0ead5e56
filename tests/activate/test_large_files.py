"""Many entries in one large file cost hardly more than one: what is read of it is counted."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hatch_agentplugin.edit import json_change, json_editor, json_reader
from tests.activate.world import World, grouped, write

EVENTS = tuple(f"event-{number}" for number in range(13))


def settings() -> str:
    """Settings as they are after years of use: most of them is history."""
    project = {"allowed": ["Bash(ls:*)"], "history": ["ask me", "thanks"] * 20}
    return json.dumps({"projects": {f"/home/me/{n}": project for n in range(3000)}, "env": {}})


def test_large_file_is_read_a_few_times_for_all_entries(
    plain: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = settings()
    assert len(text) > 1_000_000
    plan = grouped(events=("turn-end",))
    (item,) = plan.scopes["user"]
    items = tuple(replace(item, at=("hooks", event), event=event) for event in EVENTS)
    plain.install("acme", {"grouped": replace(plan, scopes={"user": items})})
    file = write(plain.home / ".grouped/settings.json", text)
    read = 0

    def counted(text: str) -> json_reader.Source:
        nonlocal read
        read += len(text)
        return original(text)

    original = json_reader.read
    monkeypatch.setattr(json_reader, "read", counted)
    monkeypatch.setattr(json_editor, "read", counted)
    monkeypatch.setattr(json_change, "read", counted)
    plain.activate()
    assert set(json.loads(file.read_text())["hooks"]) == set(EVENTS)
    assert read < 5 * len(text), f"{read / len(text):.1f} times"
    read = 0
    plain.deactivate()
    assert file.read_text() == text
    assert read < 5 * len(text), f"{read / len(text):.1f} times"
