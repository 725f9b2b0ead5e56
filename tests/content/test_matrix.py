"""The matrix: events and outcomes of every agent, with their evidence."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.adapter import ENTRY_POINT_GROUP, Evidence, Native
from hatch_agentplugin.cli import main
from hatch_agentplugin.cli.matrix import markdown
from hatch_agentplugin.hosts.adapters import all_hosts
from hatch_agentplugin.hosts.matrix import rows
from hatch_agentplugin.hosts.records import Record, read_record, read_records
from tests.compiler.hosts import entries_host
from tests.content.rig import HOSTS

SEEN = Evidence(basis="witnessed", version="1.0", date="2026-01-01")
HOST = entries_host(
    id="alpha",
    evidence=SEEN,
    events={
        "turn-start": Native("Prompt", can={"deny": {}, "context": {}}),
        "turn-end": (Native("Stop"), Native("Idle", near="late | perhaps")),
        "notification": Native("Note", evidence=Evidence(basis="program", version="2", date="x")),
    },
)
RECORD = Record("alpha", "1.2", "2026-11-20", {"turn-start": ("deny", "halt"), "turn-end": ()})


def output(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main(["matrix", *words]) == status
    return capsys.readouterr().out


def test_witnessed_only_by_a_record() -> None:
    """What an adapter alone claims is reported; only a test's record makes it witnessed."""
    without = {row.event: row.basis for row in rows([HOST], {})}
    assert without == {"turn-start": "reported", "turn-end": "reported", "notification": "program"}
    start, stop, idle, note = rows([HOST], {"alpha": RECORD})
    assert (start.basis, start.version, start.day) == ("witnessed", "1.2", "2026-11-20")
    assert start.seen == ("deny",)
    assert (stop.basis, idle.basis, note.basis) == ("witnessed", "reported", "program")
    assert start.age(date(2026, 11, 30)) == 10
    assert note.age(date(2026, 11, 30)) is None


def test_answer_that_is_text_for_some_tools_only() -> None:
    """The table and the data show the tools."""
    native = Native(
        "After", can={"modify-output": {}}, shapes={"modify-output": {"Bash": "$output"}}
    )
    (row,) = rows([entries_host(events={"post-tool-use": native})], {})
    today = date(2026, 11, 30)
    assert "| modify-output (text: Bash) |" in markdown([row], today)
    assert row.to_json(today)["limits"] == {"modify-output": ["Bash"]}


def test_record_in_a_file(tmp_path: Path) -> None:
    """A record that cannot be read is no record."""
    record = {"host": "a", "version": "1", "date": "2026-01-01", "seen": {"turn-end": ["halt"]}}
    file = tmp_path / "evidence.json"
    file.write_text(json.dumps(record))
    assert read_record(file) == Record("a", "1", "2026-01-01", {"turn-end": ("halt",)})
    for text in ("[]", "{", json.dumps({**record, "seen": []})):
        file.write_text(text)
        assert read_record(file) is None
    assert read_record(tmp_path / "none") is None


def test_records_beside_the_adapters() -> None:
    """Only hosts whose program a test drives have one."""
    records = read_records(["codex", "zed", "no-such-host"])
    assert list(records) == ["codex"]
    assert records["codex"].host == "codex"


def test_json_has_every_host_and_event(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(output(capsys, "--json"))
    assert [host["host"] for host in document["hosts"]] == sorted(HOSTS)
    declared = {(name, event) for name, host in HOSTS.items() for event in host.events}
    shown = {(row["host"], row["event"]) for row in document["rows"]}
    assert declared <= shown
    evidence: list[dict[str, Any]] = [row["evidence"] for row in document["rows"]]
    assert all(one["basis"] and one["version"] and one["age_days"] is not None for one in evidence)


def test_filters(capsys: pytest.CaptureFixture[str]) -> None:
    """By host, by event in any spelling, by kind of content."""
    text = output(capsys, "--host", "claude-code,warp", "--event", "PreToolUse,mcp")
    lines = [line.split()[:3] for line in text.splitlines()]
    assert lines == [
        ["agent", "event", "native"],
        ["claude-code", "pre-tool-use", "PreToolUse"],
        ["claude-code", "mcp", "user:"],
        ["warp", "mcp", "user:"],
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--event", "PreTolUse"), 'did you mean "pre-tool-use"?'),
        (("--host", "claud-code"), 'did you mean "claude-code"?'),
    ],
)
def test_unknown_name(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert main(["matrix", *words]) == 2
    assert said in capsys.readouterr().err


def test_markdown() -> None:
    text = markdown(rows([HOST], {"alpha": RECORD}), date(2026, 11, 30))
    assert text.splitlines() == [
        "| agent | event | native | answers | evidence | version | age |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        "| alpha | turn-start | Prompt | deny*, context | witnessed | 1.2 | 10 d |",
        "| alpha | turn-end | Stop | - | witnessed | 1.2 | 10 d |",
        "| alpha | turn-end | Idle (near) | - | reported | 1.0 | 333 d |",
        "| alpha | notification | Note | - | program | 2 | ? |",
        "",
        "Near:",
        "",
        "- alpha, turn-end, Idle: late | perhaps",
    ]


def test_other_adapters(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hosts of other distributions are read too; a broken one is named and the others go on."""
    (tmp_path / "acme_hosts.py").write_text(
        "from tests.content.test_matrix import HOST\ndef agent_plugin_hosts():\n    return [HOST]\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    group = ENTRY_POINT_GROUP
    points = [EntryPoint("acme", "acme_hosts", group), EntryPoint("gone", "no_such_module", group)]
    problems: list[str] = []
    assert all_hosts(problems.append, points).keys() == {*HOSTS, "alpha"}
    assert len(problems) == 1
    assert "no_such_module" in problems[0]


def test_runs_without_what_building_needs() -> None:
    """A user who only installed a plugin has none of it."""
    code = (
        "import sys\n"
        "for name in ('pluggy', 'pydantic', 'jinja2'): sys.modules[name] = None\n"
        "from hatch_agentplugin.cli import main\n"
        "sys.exit(main(['matrix', '--host', 'codex', '--json']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["hosts"][0]["host"] == "codex"
