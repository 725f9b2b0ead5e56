"""A scene: one run that triggers events beyond the common session, and the outcomes it must show.

The plugin's answers follow from these outcomes, and the proof of an outcome is the same for all
hosts. A scene therefore describes only how to trigger the events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.hosts._sandbox import Run
from tests.hosts.drivers import Driver
from tests.hosts.model import Call, Script, Step

FINAL = "all-done"
#: What the user's own hook says where it keeps the agent going; a halt must be stronger.
RIVAL = "rival-goes-on"
_SUBAGENT = "SUBWORK"
_TOOL_EVENTS = ("pre-tool-use", "permission-request")

Plan = dict[str, list[list[Any]]]


@dataclass(frozen=True)
class Scene:
    """How to trigger some events in a host, and the outcomes it must obey there."""

    name: str
    shows: Mapping[str, Sequence[str]]
    """Event -> outcomes to ask for and to see. The event itself must fire."""
    script: Callable[[Driver, Path], Script] = lambda driver, project: Script(final=FINAL)
    prompt: str = "please work"
    approve: bool = True
    args: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    """Arguments in place of the driver's."""
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    """Settings in place of the driver's: path below HOME to text."""
    through: tuple[str, ...] = ()
    """A client that drives the host, as `drivers.run` takes it."""
    stdin: str = ""
    told: str = "{}"
    """How the host shows a message to the user."""
    mute: bool = False
    """The host hands no reason of a refusal on to the model."""
    rival: str = ""
    """Native event at which a hook of the user's own keeps the agent going."""
    timeout: float | None = None

    def answers(self) -> Plan:
        """The plugin's planned answers."""
        plan: Plan = {}
        for event, outcomes in self.shows.items():
            rules: dict[str, dict[str, Any]] = {}
            for outcome in outcomes:
                marker = f"{outcome}-me" if event in _TOOL_EVENTS and outcome != "message" else ""
                rules.setdefault(marker, {}).update(_answer(event, outcome))
            plan[event] = [[marker, answer] for marker, answer in rules.items()]
        return plan

    def missing(
        self, result: Run, fired: Sequence[str], project: Path, shown: str = ""
    ) -> list[str]:
        """Return what was not seen; `shown` is what the host showed outside of its output."""
        lacking = [event for event in self.shows if event not in fired]
        for event, outcomes in self.shows.items():
            for outcome in outcomes:
                if not self._obeyed(event, outcome, result, fired, project, shown):
                    lacking.append(f"{event} {outcome}")
        return lacking

    def _obeyed(
        self,
        event: str,
        outcome: str,
        result: Run,
        fired: Sequence[str],
        project: Path,
        shown: str,
    ) -> bool:
        text = mark(event, outcome)
        if outcome in ("context", "keep-going", "modify-output"):
            return text in result.requests
        if outcome == "message":
            return self.told.format(text) in result.out + result.err + shown
        if outcome == "halt":
            if self.rival:
                return RIVAL not in result.requests
            return FINAL not in result.out and not (project / "halt-me").exists()
        if outcome == "modify-input":
            return (project / "modified").exists() and not (project / "modify-input-me").exists()
        if outcome == "ask":
            return (project / "ask-me").exists()
        if outcome == "allow":
            # What nobody has answered shows that the host did ask.
            return (project / "allow-me").exists() and not (project / "unanswered").exists()
        if event == "pre-compact":
            return "post-compact" not in fired
        assert outcome == "deny"
        reached = self.mute or text in "\n".join(result.requests.results())
        return reached and not (project / "deny-me").exists()


def mark(event: str, outcome: str) -> str:
    """Return the text by which an answer is recognized."""
    return f"{outcome}-of-{event}"


def _answer(event: str, outcome: str) -> dict[str, Any]:
    text = mark(event, outcome)
    if outcome in ("context", "message"):
        return {outcome: text}
    if outcome == "modify-output":
        return {"output": text}
    if outcome == "modify-input":
        return {"swap": ["modify-input-me", "modified"]}
    return {"decision": outcome, "reason": text}


def touching(*names: str) -> Callable[[Driver, Path], Script]:
    """The model creates files in the project, each with one shell command."""
    return lambda driver, project: Script.of(
        *(driver.shell(f"touch '{project}/{name}'") for name in names), final=FINAL
    )


def compaction(tokens: int, final: str = FINAL) -> Callable[[Driver, Path], Script]:
    """The model's first answer claims so many tokens that the host compacts the conversation."""
    return lambda driver, project: Script(
        (Step((driver.shell("echo much"),), tokens=tokens),), final=final
    )


def subagent(
    call: Callable[[str], Call], *after: Callable[[Driver], Call]
) -> Callable[[Driver, Path], Script]:
    """The model starts a subagent with the given task, which runs one command."""

    def script(driver: Driver, project: Path) -> Script:
        calls = (call(f"{_SUBAGENT} please"), *(one(driver) for one in after))
        task = Script.of(driver.shell("echo sub"), final="sub-done")
        return Script(tuple(Step((one,)) for one in calls), final=FINAL, branches={_SUBAGENT: task})

    return script


def failing(driver: Driver, project: Path) -> Script:
    """The service refuses the request."""
    return Script((Step(status=400),), final=FINAL)


def calling(*calls: Call) -> Callable[[Driver, Path], Script]:
    """The model calls these, one after the other."""
    return lambda driver, project: Script.of(*calls, final=FINAL)
