"""Modules that a call loads, and calls on every interpreter of this machine."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.fire.rig import RUNTIME, TOOL_CALL, Rig, command, handler, table

#: Everything that an answered call may load beyond what the bare interpreter has.
ALLOWED = {
    "__future__",
    "_json",
    "acme_hooks",
    "hatch_agentplugin",
    "hatch_agentplugin.fire",
    "hatch_agentplugin.fire.answer",
    "hatch_agentplugin.fire.api",
    "hatch_agentplugin.fire.dispatch",
    "hatch_agentplugin.fire.process",
    "hatch_agentplugin.fire.incoming",
    "hatch_agentplugin.fire.text",
}


def versions(pythons: list[str]) -> list[str]:
    """Return the interpreters for a loop, which is cheaper than a test for each."""
    assert pythons
    return pythons


def test_hot_path_loads_only_what_is_allowed(tmp_path: Path, pythons: list[str]) -> None:
    """A call loads neither json, re, os nor typing, on any version."""
    bare = "import sys; print(*sys.modules)"
    for number, python in enumerate(versions(pythons)):
        done = subprocess.run([python, "-I", "-S", "-c", bare], capture_output=True, text=True)
        rig = Rig(tmp_path / str(number), python=python)
        rig.slot(table(hooks=[handler()])).handlers(
            """
            from hatch_agentplugin import Event, context
            import sys
            def handle(event: Event): return context(" ".join(sys.modules))
            """
        )
        said = rig.fire().reply["hookSpecificOutput"]["additionalContext"]
        assert set(said.split()) - set(done.stdout.split()) <= ALLOWED, python


def test_every_version_and_shell(tmp_path: Path, pythons: list[str], shell: str) -> None:
    """Allow, deny, a failure, a timeout, a filter and a command work everywhere."""
    for number, python in enumerate(versions(pythons)):
        rig = Rig(tmp_path / f"it's {number}", shell, python)
        script = rig.script("x.sh", 'echo >"$PLUGIN_DATA/out"')
        hooks = [command(script), handler("guard"), handler("hang", timeout=0.3), handler("fail")]
        rig.slot(
            table(hooks=hooks),
            table(event="post-tool-use", hooks=[handler("guard", tools=["Bash"])], exact=False),
        ).handlers(
            """
            import time
            from hatch_agentplugin import deny, modify
            def guard(e):
                if "rm" in e.input["command"]: return deny("ü 😀")
                return modify({"command": "echo \\ud83d"})
            def hang(e): time.sleep(30)
            def fail(e): raise ImportError
            """
        )
        assert rig.fire({**TOOL_CALL, "tool_input": {"command": "rm"}}).decision == "deny", python
        result = rig.fire()
        assert result.reply["hookSpecificOutput"]["updatedInput"] == {"command": "echo \ufffd"}
        assert result.err == b""
        assert (rig.state / "data/out").exists()
        assert [line.split("\t")[4] for line in rig.log.splitlines()] == ["timeout", "import"] * 2
        assert rig.fire({**TOOL_CALL, "tool_name": "Bashful"}, "post-tool-use").silent
        assert rig.fire({**TOOL_CALL, "tool_input": {"command": "rm"}}, "post-tool-use").decision


def test_without_the_c_scanner(tmp_path: Path) -> None:
    """An interpreter without ``_json`` uses the json package."""
    code = (
        f"import sys; sys.path.append({str(RUNTIME)!r}); sys.modules['_json'] = None\n"
        "from hatch_agentplugin.fire import text\n"
        "assert text.parse(' {\"a\": [1, null]} ') == {'a': [1, None]}\n"
        "assert text.dump({'a': 'é'}) == '{\"a\": \"é\"}'\n"
        "for junk in ('', '{} x', '[' * 100000):\n"
        "    try: text.parse(junk)\n"
        "    except ValueError: pass\n"
        "    else: raise SystemExit(1)\n"
        "assert 'json' in sys.modules\n"
    )
    import sys

    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)


@pytest.mark.parametrize("hooks", [1, 60])
def test_a_call_reads_only_its_own_slot(rig: Rig, hooks: int) -> None:
    """Files of other hosts and events are not read, so their number costs nothing."""
    made: dict[str, Any] = table(hooks=[handler()] * hooks)
    rig.slot(made).handlers("def handle(e): return {'decision': 'deny', 'reason': 'no'}")
    for host in ("claude-code", "codex"):
        folder = rig.bundle / "fire" / host
        folder.mkdir(exist_ok=True)
        (folder / "turn-end.json").write_text("broken")
    (rig.bundle / "plan.json").write_text("broken")
    assert json.loads(rig.fire().out)["hookSpecificOutput"]["permissionDecision"] == "deny"
