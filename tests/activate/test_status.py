"""Status has three levels, each with its own proof, and names what has drifted; doctor fires."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.activate import operations
from hatch_agentplugin.hosts.delivery import Dir, File, Switch
from hatch_agentplugin.inspect import doctor
from hatch_agentplugin.inspect.doctor import CommandResult, check_commands, find_problem
from hatch_agentplugin.inspect.status import PluginStatus, status
from hatch_agentplugin.plan import Item
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.recover import recover
from tests.activate.world import (
    World,
    grouped,
    module,
    owned,
    shims,
    snapshot,
    write,
)


def ledger(world: World) -> Ledger:
    return recover(world.context().state)[0]


def look(world: World) -> PluginStatus:
    """The status of the only plugin."""
    (one,) = status(world.context(), ledger(world))
    return one


def switch(scope_file: str = "~/.grouped") -> Switch:
    target = File(Dir(scope_file), "settings.json")
    return Switch((target,), ("disableAllHooks",), True, "all hooks are switched off")


def test_placed_accepted_fired(plain: World) -> None:
    """One line per event, also where one file serves several."""
    plain.install("acme", {"grouped": grouped(), "owned": owned("acme"), "shims": shims()})
    plain.activate()
    one = look(plain)
    assert one.active
    assert one.problems == ()
    assert [(line.host, line.event) for line in one.lines] == [
        (host, event)
        for host in ("grouped", "owned", "shims")
        for event in ("session-start", "pre-tool-use", "turn-end")
    ]
    assert {(line.placed, line.accepted, line.fired) for line in one.lines} == {
        ("placed", "yes", None)
    }


def test_last_fired_is_the_time_of_the_mark(plain: World) -> None:
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    mark = write(plain.state / "acme/fired/grouped.turn-end", "")
    os.utime(mark, (1_000, 1_000))
    fired = {line.event: line.fired for line in look(plain).lines}
    assert fired == {"session-start": None, "pre-tool-use": None, "turn-end": 1_000.0}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda text: text.replace('"timeout": 10', '"timeout": 11'), "edited"),
        (lambda text: text.replace("launch grouped", "launch other"), "removed"),
        (lambda text: "{}", "removed"),
        (lambda text: "{", "unreadable"),
        (None, "file gone"),
    ],
    ids=["edited", "other command", "removed", "unreadable", "file gone"],
)
def test_drift_of_entries_is_named(plain: World, change: Any, expected: str) -> None:
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    file = plain.home / ".grouped/settings.json"
    if change is None:
        file.unlink()
    else:
        file.write_text(change(file.read_text()))
    assert {line.placed for line in look(plain).lines} == {expected}


def test_copies_are_counted(plain: World) -> None:
    """Another program may have doubled an entry of ours."""
    plain.install("acme", {"grouped": grouped(events=("turn-end",))})
    plain.activate()
    file = plain.home / ".grouped/settings.json"
    data = json.loads(file.read_text())
    data["hooks"]["Stop"] *= 3
    file.write_text(json.dumps(data))
    (line,) = look(plain).lines
    assert (line.placed, line.why) == ("placed", "it occurs 3 times in the file")


def test_drift_of_own_files_is_named(plain: World) -> None:
    plain.install("acme", {"shims": shims()})
    plain.activate()
    hooks = plain.home / "Documents/shims/Hooks"
    (hooks / "Stop").write_text("mine")
    (hooks / "PreToolUse").unlink()
    assert {line.event: line.placed for line in look(plain).lines} == {
        "session-start": "placed",
        "pre-tool-use": "file gone",
        "turn-end": "edited",
    }


def test_switch_of_the_user_is_read_and_not_flipped(plain: World) -> None:
    """The setting is named with its file; only the very value counts."""
    plain.install("acme", {"grouped": grouped(switches=(switch(),))})
    file = write(plain.home / ".grouped/settings.json", '{"disableAllHooks": 1}')
    plain.activate()
    assert {line.accepted for line in look(plain).lines} == {"yes"}
    file.write_text(file.read_text().replace('Hooks": 1', 'Hooks": true'))
    before = snapshot(plain.home / ".grouped")
    (line, *_) = look(plain).lines
    assert line.accepted == "off"
    assert "all hooks are switched off (disableAllHooks in" in line.why
    plain.activate()
    assert snapshot(plain.home / ".grouped") == before


def test_policy_outside_the_home_is_read(plain: World) -> None:
    """A managed file of the company is looked at, never written."""
    policy = write(plain.root / "etc/settings.json", '{"disableAllHooks": true}')
    plain.install("acme", {"grouped": grouped(switches=(switch(str(policy.parent)),))})
    plain.activate()
    assert {line.accepted for line in look(plain).lines} == {"off"}


def test_hooks_that_need_a_review_say_so_until_they_fire(plain: World) -> None:
    plain.install("acme", {"grouped": grouped(after={"user": ("review with /hooks",)})})
    plain.activate()
    assert {line.accepted for line in look(plain).lines} == {"needs review"}
    write(plain.state / "acme/fired/grouped.turn-end", "")
    accepted = {line.event: line.accepted for line in look(plain).lines}
    assert accepted["turn-end"] == "yes"
    assert accepted["session-start"] == "needs review"


@pytest.mark.parametrize("name", ["all", "turn-end"])
def test_disabled_hooks_say_so(plain: World, name: str) -> None:
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    write(plain.state / "acme/disabled" / name, "")
    disabled = [line.event for line in look(plain).lines if line.accepted == "disabled"]
    assert "turn-end" in disabled
    assert len(disabled) == (3 if name == "all" else 1)


def test_upgraded_package_is_named(plain: World) -> None:
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    plain.install("acme", {"grouped": grouped()}, version="2.0")
    assert any("upgraded to 2.0" in problem for problem in look(plain).problems)


@pytest.mark.parametrize("gone", ["package", "environment", "launcher"])
def test_what_is_gone_is_named(plain: World, gone: str) -> None:
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    if gone == "package":
        plain.uninstall("acme")
    elif gone == "environment":
        shutil.rmtree(plain.root / "env")
    else:
        Path(plain.context().launcher("acme")).unlink()
    assert any(f"its {gone} is gone" in problem for problem in look(plain).problems)


def test_status_writes_nothing(plain: World) -> None:
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    known = ledger(plain)
    before = snapshot(plain.root, times=True)
    status(plain.context(), known)
    assert snapshot(plain.root, times=True) == before


# --- doctor


def recorder(world: World, text: str) -> None:
    """Replace the launcher with a script."""
    launch = Path(world.context().launcher("acme"))
    launch.write_text("#!/bin/sh\n" + text)


def test_every_command_is_run_with_a_payload_from_doctor(plain: World) -> None:
    """Entries, own files, scripts and modules are run; the payload says that doctor sent it."""
    plans = {"grouped": grouped(), "owned": owned("acme"), "shims": shims()}
    plain.install("acme", {**plans, "module": module("acme")})
    plain.activate()
    recorder(plain, f'read -r got\necho "$got" > "{plain.root}/got.$1.$2"; echo "{{}}"\n')
    checks = check_commands(plain.context(), ledger(plain))
    assert len(checks) == 12
    assert [check.problem for check in checks] == [""] * 12
    got = [json.loads(path.read_bytes()) for path in plain.root.glob("got.*")]
    assert len(got) == 12
    assert all(payload["agent_plugin_doctor"] is True for payload in got)


@pytest.mark.parametrize(
    ("kind", "says"),
    [("import", "hooks.turn-end[1]: import: KeyError here.py:1"), ("raised", ""), ("payload", "")],
)
def test_hook_that_fails_behind_a_good_answer(plain: World, kind: str, says: str) -> None:
    """Its answer is that of ``on-error``, so only its log shows an import error."""
    bundle = plain.install("acme", {"grouped": grouped()})
    plain.activate()
    log = plain.state / "acme/log"
    write(log, "before\tgrouped\tturn-end\told[1]\traised\tKeyError\n")
    line = f"now\\tgrouped\\tturn-end\\thooks.turn-end[1]\\t{kind}\\tKeyError here.py:1"
    write(bundle / "fire/grouped/turn-end.sh", f"printf '{line}\\n' >>'{log}'\n")
    problems = {
        check.slot: check.problem for check in check_commands(plain.context(), ledger(plain))
    }
    assert problems.pop("turn-end") == says
    assert set(problems.values()) == {""}


@pytest.mark.parametrize("fired", [False, True], ids=["never", "once"])
def test_fired_stamp_keeps_its_time(plain: World, fired: bool) -> None:
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    stamp = plain.state / "acme/fired/grouped.turn-end"
    if fired:
        os.utime(write(stamp, ""), (1_000, 1_000))
    recorder(plain, f"true > {plain.state}/acme/fired/$1.$2\n")
    check_commands(plain.context(), ledger(plain))
    times = {path.name: path.stat().st_mtime for path in stamp.parent.iterdir()}
    assert times == ({stamp.name: 1_000.0} if fired else {})


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (CommandResult(0, b"", b"", 0.1), ""),
        (CommandResult(0, b'{"a": 1}\n', b"noise", 0.1), ""),
        (CommandResult(2, b"", b"no", 0.1), ""),
        (CommandResult(0, b"hello", b"", 0.1), "not one JSON document"),
        (CommandResult(0, b"{}{}", b"", 0.1), "not one JSON document"),
        (
            CommandResult(127, b"", b"sh: launch: not found\n", 0.1),
            "status 127: sh: launch: not found",
        ),
        (CommandResult(None, b"", b"", 60), "did not end"),
    ],
    ids=["silence", "json", "refusal", "text", "two", "missing", "hangs"],
)
def test_problem_of_a_result(result: CommandResult, expected: str) -> None:
    assert expected in find_problem(result)
    assert bool(find_problem(result)) is bool(expected)


@pytest.mark.parametrize("reply", [{"$stdout": "$text"}, {"context": "$text"}])
def test_plain_text_where_the_host_accepts_it(plain: World, reply: dict[str, Any]) -> None:
    bundle = plain.install("acme", {"grouped": grouped(events=("session-start",))})
    write(
        bundle / "fire/grouped/session-start.json",
        json.dumps({"answers": {"context": {"reply": reply}, "halt": {"drop": "why"}}}),
    )
    plain.activate()
    recorder(plain, "echo hello\n")
    (check,) = check_commands(plain.context(), ledger(plain))
    assert bool(check.problem) is ("$stdout" not in reply)


def test_hanging_command_is_killed_with_its_children(
    plain: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "TIMEOUT", 0.3)
    result = doctor.run_command(plain.context(), "/bin/sleep 60 & /bin/sleep 60", b"{}", "")
    assert result.status is None
    assert result.seconds < 20


def test_repair_writes_launcher_and_marks(plain: World) -> None:
    """And nothing where all is right."""
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    before = snapshot(plain.state / "acme")
    shutil.rmtree(plain.state / "acme")
    operations.repair(plain.context())
    assert snapshot(plain.state / "acme") == before
    times = snapshot(plain.home, times=True)
    operations.repair(plain.context())
    assert snapshot(plain.home, times=True) == times


def test_native_commands_of_the_author_are_not_run(plain: World) -> None:
    """Doctor runs only commands that start our launcher."""
    plan = grouped(events=("turn-end",))
    (item,) = plan.scopes["user"]
    assert isinstance(item, Item)
    raw = replace(item, event="", value={"hooks": [{"command": f"touch {plain.root}/ran"}]})
    plain.install("acme", {"grouped": replace(plan, scopes={"user": (raw,)})})
    plain.activate()
    assert check_commands(plain.context(), ledger(plain)) == []
    assert not Path(plain.root / "ran").exists()


@pytest.mark.skipif(os.name == "nt", reason="POSIX links")
def test_package_that_cannot_be_reached_is_not_called_gone(plain: World) -> None:
    """It may be there again tomorrow: prune must not take back what is placed of it."""
    bundle = plain.install("acme", {"grouped": grouped()})
    plain.activate()
    bundle.rename(plain.root / "aside")
    bundle.symlink_to(bundle)
    before = snapshot(plain.home)
    (problem,) = look(plain).problems
    assert problem.startswith("its plan cannot be used: ")
    assert plain.prune().rows == ()
    assert snapshot(plain.home) == before


@pytest.mark.skipif(os.name == "nt", reason="POSIX links and permissions")
@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda python: python.symlink_to(python), "its interpreter cannot be reached: "),
        (lambda python: write(python, "", 0o644), "you may not run its interpreter: "),
        (lambda python: None, "its interpreter is gone: "),
    ],
    ids=["unreachable", "not executable", "gone"],
)
def test_what_is_wrong_with_an_interpreter(plain: World, make: Any, said: str) -> None:
    """Only one that does not exist is called gone."""
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    python = plain.root / "python"
    make(python)
    known = ledger(plain)
    row = replace(known.plugins["acme"], python=str(python))
    (one,) = status(plain.context(), replace(known, plugins={"acme": row}))
    (problem,) = one.problems
    assert problem.startswith(f"{said}{python}")
