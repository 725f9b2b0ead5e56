"""The tests of an adapter; the package's docstring tells how to use them."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, get_args

import pytest

from hatch_agentplugin.adapter import Basis, Host, Module
from hatch_agentplugin.fire import incoming
from hatch_agentplugin.hosts import payloads
from hatch_agentplugin.hosts.check import check_host
from hatch_agentplugin.hosts.payloads import Case, read
from hatch_agentplugin.simulate import temporary_launcher
from hatch_agentplugin.simulate.payloads import payload
from hatch_agentplugin.testing.adapter_kit import replies
from hatch_agentplugin.testing.adapter_kit.firing import (
    check_event,
    check_recorded,
    fire,
    kinds,
    reply,
    said,
)
from hatch_agentplugin.testing.adapter_kit.golden import check_golden, placed_files
from hatch_agentplugin.testing.adapter_kit.machine import ODD, Scratch, is_posix
from hatch_agentplugin.testing.adapter_kit.sample import Sample
from hatch_agentplugin.words import EVENTS, ScopeName

#: Compiled samples by host; no test changes one.
_SAMPLES = pytest.StashKey[dict[int, Sample]]()
posix_only = pytest.mark.skipif(not is_posix(), reason="runs commands for a POSIX shell")


@dataclass(frozen=True)
class Kit:
    """The input of every test: the host, its compiled sample, a folder, known payloads."""

    host: Host
    sample: Sample
    folder: Path
    payloads: Mapping[str, Case]

    @property
    def scopes(self) -> list[ScopeName]:
        """The scopes that a test can use; the managed scope needs an administrator."""
        found = self.sample.plan.scopes if self.sample.plan else ()
        return [scope for scope in found if scope != "managed"]


class AdapterSuite:
    """Derive a class named ``Test...`` with ``adapters``; each test runs once per host."""

    adapters: ClassVar[Sequence[ModuleType]] = ()
    """The modules to test. Payloads are read from ``payloads.json`` beside each module, see
    :mod:`hatch_agentplugin.hosts.payloads`."""

    def golden_folder(self, host: str) -> Path:
        """The folder of a host's golden files: ``golden/<host>`` beside the test."""
        return Path(inspect.getfile(type(self))).parent / "golden" / host

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One test per host."""
        if "adapter_kit" in metafunc.fixturenames:
            found = [(host, module) for module in self.adapters for host in _hosts(module)]
            ids = [host.id for host, _ in found]
            metafunc.parametrize("adapter_kit", found, ids=ids, indirect=True)

    @pytest.fixture
    def adapter_kit(
        self,
        request: pytest.FixtureRequest,
        tmp_path: Path,
        tmp_path_factory: pytest.TempPathFactory,
    ) -> Kit:
        """The host under test with the sample plugin."""
        host: Host
        host, module = request.param
        made = request.config.stash.setdefault(_SAMPLES, {})
        if id(host) not in made:
            folder = tmp_path_factory.mktemp(host.id) / "site packages"
            made[id(host)] = Sample.make(host, folder)
        known = read(Path(module.__file__ or "").with_name(payloads.FILE))
        return Kit(host, made[id(host)], tmp_path, known)

    def test_facts_are_complete(self, adapter_kit: Kit) -> None:
        """Names are known, paths are safe, templates have the placeholders they need."""
        assert check_host(adapter_kit.host) == []

    def test_golden_files(self, adapter_kit: Kit, agent_plugin_update_golden: bool) -> None:
        """The files placed for the sample are the reviewed ones."""
        folder = self.golden_folder(adapter_kit.host.id)
        check_golden(placed_files(adapter_kit.sample), folder, agent_plugin_update_golden)

    @pytest.mark.parametrize("foreign", [False, True], ids=["empty", "foreign"])
    def test_placing_comes_back_to_the_byte(self, adapter_kit: Kit, foreign: bool) -> None:
        """In each scope: the second `activate` changes nothing, `deactivate` restores every byte."""
        for scope in adapter_kit.scopes:
            scratch = Scratch(adapter_kit.folder / scope, adapter_kit.sample)
            mine = scratch.add_foreign(scope) if foreign else []
            before = scratch.snapshot()
            result = scratch.activate(scope)
            placed = scratch.snapshot()
            _check_rows(result.rows, scope)
            for path in mine:
                assert b"mine" in path.read_bytes().lower(), path
            scratch.activate(scope)
            assert scratch.snapshot() == placed, f"the second activate in the {scope} scope"
            scratch.deactivate()
            assert scratch.snapshot() == before, f"deactivate in the {scope} scope"

    def test_every_payload_becomes_an_event(self, adapter_kit: Kit) -> None:
        """Every field of the payload arrives in the event, for every kind of tool."""
        for slot, table in adapter_kit.sample.tables:
            for selector in kinds(table):
                sent = payload(table, cwd="/tmp/a b", tool=selector, **said(table))
                assert incoming.fires(sent, table), f"{slot}: a payload of the host does not fire"
                event = incoming.event_of(sent, table, "", "")
                check_event(event, sent, table, selector, slot)

    def test_recorded_payloads_become_events(self, adapter_kit: Kit) -> None:
        """Payloads of the real host give the expected events."""
        known = adapter_kit.payloads
        if not known:
            pytest.skip("no payloads are recorded for this host")
        tables = dict(adapter_kit.sample.tables)
        for case, row in known.items():
            slot = case.partition(" ")[0]
            assert slot in tables, f"{case}: unknown slot; allowed: {', '.join(tables)}"
            assert row.get("basis") in get_args(Basis), (
                f"{case}: basis must be one of {get_args(Basis)}"
            )
            check_recorded(case, row, tables[slot])

    def test_every_outcome_becomes_a_reply(self, adapter_kit: Kit) -> None:
        """The reply to each outcome matches the host's template."""
        for slot, table in adapter_kit.sample.tables:
            assert set(table["answers"]) == set(EVENTS[table["event"]].outcomes)
            for outcome in table["answers"]:
                answered = reply(table, outcome)
                wrong = list(
                    replies.problems(table, outcome, answered.status, answered.out, answered.error)
                )
                assert not wrong, f"{slot}: {outcome}: {wrong}"

    @posix_only
    def test_every_event_through_the_launcher(self, adapter_kit: Kit) -> None:
        """Fired as the host fires it: the handler gets the event, the host the reply."""
        launcher = temporary_launcher(adapter_kit.sample.bundle, adapter_kit.folder)
        known = adapter_kit.payloads
        for slot, table in adapter_kit.sample.tables:
            told = next(
                (name for name in table["answers"] if "reply" in table["answers"][name]), ""
            )
            fire(adapter_kit.host.id, launcher, adapter_kit.folder, slot, table, told, known)

    @posix_only
    def test_every_outcome_through_the_launcher(self, adapter_kit: Kit) -> None:
        """The same for each outcome; this test is slow."""
        launcher = temporary_launcher(adapter_kit.sample.bundle, adapter_kit.folder)
        for slot, table in adapter_kit.sample.tables:
            for outcome in table["answers"]:
                fire(adapter_kit.host.id, launcher, adapter_kit.folder, slot, table, outcome)

    @posix_only
    def test_odd_paths(self, adapter_kit: Kit) -> None:
        """Placed commands start the launcher even if the home folder has an odd name."""
        for scope in adapter_kit.scopes:
            scratch = Scratch(adapter_kit.folder / scope, adapter_kit.sample, ODD)
            result = scratch.activate(scope)
            _check_rows(result.rows, scope)
            ledger = result.outcome.ledger.entries
            paths = [Path(placed.path) for placed in ledger]
            if scope == "project":
                _check_shared(scratch, paths)
            if isinstance(adapter_kit.host.delivery, Module):
                _check_module(scratch, paths, scope)
                continue
            if not ledger:
                continue
            log = scratch.record_launches()
            started = []
            for slot, argv in scratch.commands(ledger):
                done = scratch.run(argv)
                assert (done.returncode, done.stderr) == (0, b""), argv
                started.append(f"{adapter_kit.host.id} {slot}" + " --project" * (scope != "user"))
            assert log.read_text("utf-8").splitlines() == started if started else not log.exists()


def _hosts(module: Any) -> list[Host]:
    return list(module.agent_plugin_hosts())


def _check_rows(rows: Sequence[Any], scope: str) -> None:
    """Check that nothing fails, except that a project cannot have paths of this machine."""
    for row in rows:
        shared = scope == "project" and "shared in a project" in row.note
        assert row.state != "failed" or shared, row


def _check_shared(scratch: Scratch, paths: Sequence[Path]) -> None:
    """Check that a project's files contain no path of this machine."""
    for path in paths:
        assert os.fsencode(scratch.home) not in path.read_bytes(), path


def _check_module(scratch: Scratch, paths: Sequence[Path], scope: ScopeName) -> None:
    """Check that a code module contains the launcher's path as a string literal."""
    wanted = json.dumps(str(scratch.launcher), ensure_ascii=False)
    if scope == "user":
        held = [path for path in paths if wanted in path.read_text("utf-8")]
        assert held, f"no file of {paths} contains {wanted}"
