"""If a system call fails, no group is half done, the file is named, other groups go on."""

from __future__ import annotations

import contextlib
import errno

import pytest

from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.recover import recover
from hatch_agentplugin.transaction.transaction import Outcome

from ._faults import Count, Fail, hooked
from ._world import GROUPS, World

ERRORS = [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EINTR]
# Old version, new version, step: every step-th call fails.
WAYS = [
    (1, 2, 25),
    *(pytest.param(*way, 1, marks=pytest.mark.slow) for way in [(0, 1), (1, 2), (2, 0)]),
]
REASONS = {
    errno.ENOSPC: "no space left on the disk",
    errno.EACCES: "permission denied",
    errno.EROFS: "the file system is read-only",
    errno.EINTR: "interrupted",
}


def _fails(world: World, old: int, new: int, fault: Fail) -> Outcome | None:
    """Run with a fault and check the report; return None if the whole run failed."""
    try:
        with hooked(fault):
            outcome = world.activate(new)
    except FileProblem as error:
        _check_message(world, error, fault)
        return None
    failed = {**outcome.failed, **world.problems}
    for group in GROUPS:
        assert world.versions(group, (old if group in failed else new,), world.files()), group
    for reported in failed.values():
        _check_message(world, reported, fault)
    return outcome


def _check_message(world: World, problem: FileProblem, fault: Fail) -> None:
    assert str(world.home) in str(problem)
    assert problem.reason == REASONS[fault.error]
    assert "again" in problem.advice


def _calls(world: World, version: int, *, writing: bool) -> int:
    aside = world.snapshot()
    count = Count(writing=writing)
    with hooked(count):
        world.activate(version)
    world.put_back(aside)
    return count.calls


def _check_recovers(world: World, old: int, new: int) -> None:
    recover(world.state)
    world.check_recovered(old, new)
    world.activate(new)
    world.check_recovered(new)
    assert world.files() == world.expected(new)


@pytest.mark.parametrize("error", ERRORS, ids=lambda number: errno.errorcode[number])
@pytest.mark.parametrize(("old", "new", "step"), WAYS)
def test_one_call_fails(quick: World, error: int, old: int, new: int, step: int) -> None:
    """Whichever call fails, every group is at once wholly old or wholly new."""
    quick.activate(old)
    aside = quick.snapshot()
    served = 0
    for at in range(error % step, _calls(quick, new, writing=False), step):
        fault = Fail(at, error)
        outcome = _fails(quick, old, new, fault)
        quick.check_groups(old, new)
        served += outcome is not None
        _check_recovers(quick, old, new)
        quick.put_back(aside)
    assert served * step > 120


@pytest.mark.parametrize("error", ERRORS, ids=lambda number: errno.errorcode[number])
@pytest.mark.parametrize(("old", "new", "step"), WAYS)
def test_nothing_can_be_written_from_some_call_on(
    quick: World, error: int, old: int, new: int, step: int
) -> None:
    """No file is half written or lost; once the disk works again, recovery succeeds."""
    quick.activate(old)
    aside = quick.snapshot()
    for at in range(error % step, _calls(quick, new, writing=True), step):
        with hooked(Fail(at, error, lasting=True)), contextlib.suppress(FileProblem):
            quick.activate(new)
        quick.check_whole(old, new)
        _check_recovers(quick, old, new)
        quick.put_back(aside)
