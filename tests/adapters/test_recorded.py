"""Payloads and records are read beside the module that an adapter's entry point names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hatch_agentplugin.adapter import ENTRY_POINT_GROUP
from hatch_agentplugin.hosts.adapters import adapter_folder
from hatch_agentplugin.hosts.payloads import cases
from hatch_agentplugin.hosts.records import read_records

CASE = {"turn-end": {"basis": "claimed", "version": "1", "payload": {}, "event": {}}}
RECORD = {"host": "acme", "version": "1", "date": "2026-11-30", "seen": {"turn-end": []}}


@pytest.mark.parametrize(
    ("top", "module"),
    [
        pytest.param("corp_one", "adapters/acme/__init__.py", id="package"),
        pytest.param("corp_two", "adapters/acme.py", id="module"),
    ],
)
def test_files_beside_an_installed_adapter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, top: str, module: str
) -> None:
    """They are found without an import. The packages differ, because Python caches them."""
    file = tmp_path / top / module
    file.parent.mkdir(parents=True)
    file.write_text("raise RuntimeError")
    (file.parent / "payloads.json").write_text(json.dumps(CASE))
    (file.parent / "evidence.json").write_text(json.dumps(RECORD))
    info = tmp_path / "corp-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: corp\nVersion: 1.0\n")
    group = f"[{ENTRY_POINT_GROUP}]"
    lines = [group, f"acme = {top}.adapters.acme", "gone = no_such_package.adapter", ""]
    (info / "entry_points.txt").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(str(tmp_path))
    assert cases("acme") == CASE
    assert list(read_records(["acme", "gone"])) == ["acme"]
    assert adapter_folder("gone") is None


def test_files_beside_a_built_in_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other distributions are not scanned."""
    monkeypatch.setattr("hatch_agentplugin.hosts.adapters.other_adapters", pytest.fail)
    assert "pre-tool-use" in cases("codex")


def test_host_without_an_adapter_has_no_files() -> None:
    assert adapter_folder("nobody") is None
    assert cases("nobody") == {}
