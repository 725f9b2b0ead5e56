"""The records in the adapters' folders are well-formed, current and without contradiction."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hatch_agentplugin.hosts import matrix
from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.hosts.records import FILE, read_records
from hatch_agentplugin.words import EVENTS
from tests.hosts import _cells, _records
from tests.hosts.drivers import DRIVERS
from tests.hosts.scenes import UNREACHED

HOSTS = built_in_hosts()
#: Host -> its record.
FILES = {
    path.parent.name.replace("_", "-"): path for path in sorted(_records.ADAPTERS.glob(f"*/{FILE}"))
}


@pytest.mark.parametrize("host", FILES)
def test_a_record_agrees_with_its_adapter(host: str) -> None:
    record = json.loads(FILES[host].read_text("utf-8"))
    assert set(record) == {"host", "program", "version", "date", "seen"}
    assert record["host"] == host
    assert set(record["seen"]) <= set(EVENTS)
    assert all(outcomes[0] == _records.FIRED for outcomes in record["seen"].values())
    assert _records.contradictions(HOSTS[host], record["seen"]) == []


def test_every_driven_program_has_a_record() -> None:
    """Of the version that is pinned: a new pin needs a new record."""
    pinned = {driver.id: driver.version for driver in DRIVERS}
    found = {host: json.loads(file.read_text("utf-8"))["version"] for host, file in FILES.items()}
    assert found == pinned


@pytest.mark.parametrize("id_", [driver.id for driver in DRIVERS])
def test_every_cell_is_witnessed_or_has_its_reason(id_: str) -> None:
    """Every claim about a driven program was seen, or has a reason why it cannot be seen."""
    seen = read_records(HOSTS)[id_].seen
    known = _cells.cells(HOSTS[id_], seen, UNREACHED[id_])
    assert [(cell.event, cell.outcome) for cell in known if cell.is_open] == []
    assert _cells.stale(HOSTS[id_], seen, UNREACHED[id_]) == []


def test_a_cell_without_a_record_or_reason_is_open() -> None:
    host = HOSTS["kimi-cli-legacy"]
    everything = {cell.event for cell in _cells.cells(host, {}, {})}
    reasons = dict.fromkeys(everything, "not headless")
    assert all(cell.is_open for cell in _cells.cells(host, {}, {}))
    assert not any(cell.is_open for cell in _cells.cells(host, {}, reasons))
    seen = {"turn-end": ["fired"]}
    known = _cells.cells(host, seen, {"turn-start": "not headless"})
    open_ = {cell.event for cell in known if cell.is_open}
    assert open_ == everything - {"turn-start"}
    assert ("turn-end", "fired") not in [(c.event, c.outcome) for c in known if c.is_open]
    assert "OPEN" in _cells.table(host.name, "1", known)


def test_a_reason_for_what_was_seen_or_is_not_claimed_is_stale() -> None:
    host = HOSTS["kimi-cli-legacy"]
    seen = {"turn-end": ["fired", "keep-going"]}
    reasons = dict.fromkeys(
        ("turn-end", "turn-end keep-going", "turn-end halt", "file-change", "pre-compact"), "why"
    )
    stale = ["turn-end", "turn-end keep-going", "turn-end halt", "file-change"]
    assert _cells.stale(host, seen, reasons) == stale


def test_the_matrix_calls_witnessed_what_is_recorded() -> None:
    rows = matrix.rows(HOSTS.values(), read_records(HOSTS))
    seen = {(row.host, row.event) for row in rows if row.basis == "witnessed"}
    recorded = {
        (host, event)
        for host, file in FILES.items()
        for event in json.loads(file.read_text("utf-8"))["seen"]
    }
    assert seen == recorded


def test_what_the_adapter_lacks_is_a_contradiction() -> None:
    """An event that it does not have, and an outcome that it denies."""
    wrong = _records.contradictions(
        HOSTS["hermes"], {"file-change": ["fired"], "pre-tool-use": ["fired", "deny", "ask"]}
    )
    assert len(wrong) == 2


def test_runs_add_up_and_a_new_version_begins_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_records, "_FOLDER", str(tmp_path))
    driver = next(driver for driver in DRIVERS if driver.id == "codex")
    file = _records.file_of(tmp_path, "codex")
    _records.note(driver, {"pre-tool-use": ["deny"]})
    _records.note(driver, {"pre-tool-use": ["context"], "turn-end": []})
    assert json.loads(file.read_text())["seen"] == {
        "pre-tool-use": ["fired", "context", "deny"],
        "turn-end": ["fired"],
    }
    file.write_text(file.read_text().replace(driver.version, "0.1"))
    _records.note(driver, {"turn-end": []})
    assert json.loads(file.read_text())["seen"] == {"turn-end": ["fired"]}
