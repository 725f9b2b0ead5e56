"""Payloads that an adapter brings along are found wherever its module lies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hatch_agentplugin.adapter import ENTRY_POINT_GROUP
from hatch_agentplugin.hosts import payloads as recorded

CASE = {"turn-end": {"basis": "claimed", "version": "1", "payload": {}, "event": {}}}


@pytest.mark.parametrize("folder", ["corp_one", "corp_two/adapters"])
def test_adapter_in_a_package_of_a_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    top = folder.partition("/")[0]  # a name of its own: Python keeps what it has imported
    for name in (f"{top}/__init__.py", f"{top}/adapters/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / f"{top}/adapters/acme.py").touch()
    info = tmp_path / "corp-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: corp\nVersion: 1.0\n")
    group = f"[{ENTRY_POINT_GROUP}]"
    lines = [group, f"acme = {top}.adapters.acme", "gone = no_such_package.adapter", ""]
    (info / "entry_points.txt").write_text("\n".join(lines))
    payloads = tmp_path / folder / "payloads"
    payloads.mkdir()
    (payloads / "acme.json").write_text(json.dumps(CASE))
    monkeypatch.syspath_prepend(str(tmp_path))
    assert recorded.cases("acme") == CASE
    assert recorded.cases("nobody") == {}
