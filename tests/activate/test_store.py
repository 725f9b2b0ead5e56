"""Folders of our own: who can look into them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.activate import local_store
from hatch_agentplugin.activate.cleanup import clear
from hatch_agentplugin.transaction.state import State


@pytest.mark.parametrize("shared", [False, True])
def test_who_may_look_into_a_bundle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared: bool
) -> None:
    """A folder that is made for its owner alone stays so on Windows, whatever is set later."""
    made: dict[str, int] = {}
    mkdir = os.mkdir

    def note(path: Any, mode: int = 0o777, **more: Any) -> None:
        mkdir(path, mode, **more)
        made[os.fspath(path)] = mode

    monkeypatch.setattr(os, "mkdir", note)
    state = State(tmp_path / "state", tmp_path, shared=shared)
    bundle, new = local_store.add(state, "acme", {"plan.json": (b"{}", False)})
    assert new
    assert (bundle / "plan.json").read_bytes() == b"{}"
    assert [name for name in os.listdir(bundle.parent) if name != bundle.name] == []
    assert len(made) >= 4
    assert {mode == 0o700 for mode in made.values()} == {not shared}


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
@pytest.mark.parametrize(("shared", "mode"), [(False, 0o700), (True, 0o755)])
def test_tidying_up_shuts_nobody_out(tmp_path: Path, shared: bool, mode: int) -> None:
    """It makes the folder of the lock again, where another command has taken it away meanwhile."""
    state = State(tmp_path / "state", tmp_path, shared=shared)
    before = os.umask(0o022)
    try:
        assert clear(state, "acme", keep_data=False)
    finally:
        os.umask(before)
    assert {folder.stat().st_mode & 0o777 for folder in (state.root, state.lock.parent)} == {mode}
