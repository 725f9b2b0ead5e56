"""The vocabulary: every accepted spelling leads to one canonical event."""

from __future__ import annotations

import pytest

from hatch_agentplugin.words import (
    EVENTS,
    OUTCOMES,
    PORTABLE_EVENTS,
    SELECTORS,
    canonical_event,
    is_content,
    nearest,
    nearest_event,
)


@pytest.mark.parametrize(
    ("spelling", "event"),
    [
        ("PreToolUse", "pre-tool-use"),
        ("beforeTool", "pre-tool-use"),
        ("tool/before", "pre-tool-use"),
        ("UserPromptSubmit", "turn-start"),
        ("Stop", "turn-end"),
        ("session_end", "session-end"),
        ("POST-TOOL-USE-FAILURE", "post-tool-use-failure"),
    ],
)
def test_common_spellings(spelling: str, event: str) -> None:
    assert canonical_event(spelling) == event


def test_unknown_name_is_none_and_has_a_nearest() -> None:
    assert canonical_event("pre-tol-use") is None
    assert nearest_event("pre-tol-use") == "pre-tool-use"
    assert nearest("file.writes", SELECTORS) == "file.write"
    assert nearest("zzzz", SELECTORS) is None


def test_every_event_answers_with_known_outcomes() -> None:
    for event in EVENTS.values():
        assert set(event.outcomes) <= set(OUTCOMES), event.name


def test_counts_of_the_vocabulary() -> None:
    """Six portable events, thirteen canonical ones in all, ten extended ones."""
    assert len(PORTABLE_EVENTS) == 6
    assert sum(event.kind != "extended" for event in EVENTS.values()) == 13
    assert sum(event.kind == "extended" for event in EVENTS.values()) == 10


@pytest.mark.parametrize("event", ["mcp:db", "skills", "rules", "commands"])
def test_content_is_told_by_the_word_before_the_colon(event: str) -> None:
    assert is_content(event)
    assert not is_content(f"x:{event}")
