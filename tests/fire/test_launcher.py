"""The launcher: it never fails, whatever is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.scripts import launcher
from tests.fire.rig import Rig, command, handler, table

DENY = """
    def handle(event):
        return {"decision": "deny", "reason": "no"}
"""


@pytest.fixture
def denying(shell_rig: Rig) -> Rig:
    """A plugin that refuses every tool, under every shell."""
    return shell_rig.slot(table(hooks=[handler()])).handlers(DENY)


def test_handler_answers(denying: Rig) -> None:
    """Shell, interpreter and handler run, and the host gets the reply."""
    result = denying.fire()
    assert (result.status, result.decision, result.err) == (0, "deny", b"")


def test_launcher_is_run_by_its_own_shebang(rig: Rig) -> None:
    """Hosts without a shell start the file itself."""
    rig.slot(table(hooks=[handler()])).handlers(DENY)
    done = subprocess.run([str(rig.launcher), "claude-code", "pre-tool-use"], input=b"{}",
                          capture_output=True, env=rig.environment(), cwd=rig.project)  # fmt: skip
    assert b"deny" in done.stdout


@pytest.mark.parametrize("gone", ["bundle", "slot", "interpreter", "runtime", "state"])
def test_silent_when_something_is_gone(denying: Rig, gone: str) -> None:
    """An uninstalled plugin blocks nothing and prints nothing."""
    if gone == "bundle":
        shutil.rmtree(denying.site)
    elif gone == "slot":
        (denying.bundle / "fire/claude-code/pre-tool-use.sh").unlink()
    elif gone == "interpreter":
        denying.place(python=str(denying.project / "no" / "python"))
    elif gone == "runtime":
        denying.place(runtime=str(denying.project / "no"))
    else:
        text = denying.launcher.read_bytes()
        shutil.rmtree(denying.state)
        denying.state.mkdir()
        denying.launcher.write_bytes(text)
        assert denying.fire().decision == "deny"
        return
    assert denying.fire().silent


def test_silent_when_the_runtime_is_broken(denying: Rig) -> None:
    """A half-removed package of ours counts as missing."""
    broken = denying.project / "broken"
    (broken / "hatch_agentplugin" / "fire").mkdir(parents=True)
    (broken / "hatch_agentplugin" / "__init__.py").write_text("def broken(:\n")
    denying.place(runtime=str(broken))
    assert denying.fire().silent


@pytest.mark.parametrize("text", [b"\177ELF nonsense", b"#!/no/such/interpreter\n", None])
@pytest.mark.parametrize("exact", [True, False])
def test_an_interpreter_that_cannot_start(
    denying: Rig, text: bytes | None, exact: bool, tmp_path: Path
) -> None:
    """Without its libraries the interpreter fails; the host sees success."""
    python = tmp_path / "python"
    if text is None:
        python.mkdir()
    else:
        python.write_bytes(text)
        python.chmod(0o755)
    denying.slot(table(hooks=[handler(tools=["Bash"])], exact=exact))
    denying.place(python=str(python))
    result = denying.fire()
    assert (result.status, result.out) == (0, b"")


@pytest.mark.parametrize("text", ["if true; then", "'", "exit 3 )", "no-such-program-xyz"])
def test_a_broken_slot_script_does_not_refuse(denying: Rig, text: str) -> None:
    """A script that an upgrade is just writing blocks no tool."""
    (denying.bundle / "fire/claude-code/pre-tool-use.sh").write_text(text)
    result = denying.fire()
    assert (result.status, result.out) == (0, b"")


@pytest.mark.parametrize(
    "arguments",
    [(), ("claude-code",), ("", ""), ("../x", "y"), ("claude-code", "a/b"), ("x y", "*")],
)
def test_odd_arguments(denying: Rig, arguments: tuple[str, ...]) -> None:
    """Arguments that name no slot do nothing."""
    done = subprocess.run(
        [denying.shell, str(denying.launcher), *arguments],
        input=b"{}", capture_output=True, env=denying.environment(), cwd=denying.project,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    ("host", "slot"),
    [("claude-code", "deep/x"), ("claude-code/deep", "x"), ("../other", "x")],
)
def test_only_scripts_directly_below_the_hosts_folder_are_run(
    denying: Rig, host: str, slot: str
) -> None:
    """A host or slot with a slash in it names no script, even if the file exists."""
    script = denying.bundle / "fire" / host / f"{slot}.sh"
    script.parent.mkdir(parents=True)
    script.write_text("echo ran")
    assert denying.fire(slot=slot, host=host).silent


NAMES = [
    "with space",
    "it's",
    'dou"ble',
    "$HOME and `id`",
    "back\\slash\\",
    "ünïcödé 日本 😀",
    "star*[x]?",
    "semi;colon&and|pipe",
    "-dash",
    "new\nline",
    "%percent%",
]


@pytest.mark.parametrize("name", NAMES)
def test_every_path_is_quoted(tmp_path: Path, shell: str, name: str) -> None:
    """Home and environment may have any name."""
    rig = Rig(tmp_path / name, shell)
    link = tmp_path / name / "py thon"
    link.symlink_to(sys.executable)
    rig.python = str(link)
    rig.place()
    script = rig.script("scripts/log it.sh", 'printf %s "$1" >"$PLUGIN_DATA/out"\n')
    rig.slot(
        table(hooks=[command(script, "${PLUGIN_ROOT}/x"), handler()]),
        table(event="post-tool-use", hooks=[command(script, "${PLUGIN_ROOT}/x")]),
    ).handlers(DENY)
    assert rig.fire().decision == "deny"
    written = rig.state / "data" / "out"
    assert written.read_text() == f"{rig.bundle}/x"
    written.unlink()
    assert rig.fire(slot="post-tool-use").silent
    assert written.read_text() == f"{rig.bundle}/x"


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "POSIX", "de_DE.ISO-8859-1", "no_SUCH"])
def test_utf8_whatever_the_locale(rig: Rig, locale: str) -> None:
    """Reply and event are UTF-8 in every locale."""
    rig.slot(table(hooks=[handler()])).handlers(
        'def handle(e): return {"decision": "deny", "reason": e.input["command"] + "ß"}'
    )
    result = rig.fire(
        '{"tool_name": "Bash", "tool_input": {"command": "日本😀"}}'.encode(),
        env={"LC_ALL": locale, "LANG": locale},
    )
    reason = result.reply["hookSpecificOutput"]["permissionDecisionReason"]
    assert reason == "日本😀ß"
    assert "日本😀ß".encode() in result.out


def test_the_interpreters_own_variables_change_nothing(rig: Rig) -> None:
    """Python's environment variables have no effect."""
    (rig.project / "posix.py").write_text("raise SystemExit(3)")
    (rig.project / "hatch_agentplugin.py").write_text("raise SystemExit(3)")
    rig.slot(table(hooks=[handler()])).handlers(DENY)
    env = {"PYTHONPATH": str(rig.project), "PYTHONHOME": "/nowhere", "PYTHONSTARTUP": "/nowhere"}
    assert rig.fire(env=env).decision == "deny"


@pytest.mark.parametrize("switch", ["all", "pre-tool-use"])
def test_disabled(denying: Rig, switch: str) -> None:
    """Switching off takes effect at the next call and does not count as fired."""
    (denying.state / "disabled" / switch).touch()
    assert denying.fire().silent
    assert not list((denying.state / "fired").iterdir())


def test_another_disabled_event_is_another_event(denying: Rig) -> None:
    """Other events still fire."""
    (denying.state / "disabled" / "post-tool-use").touch()
    assert denying.fire().decision == "deny"


def test_a_further_native_event_belongs_to_its_event(denying: Rig) -> None:
    """``EVENT.Native`` is disabled together with EVENT and sets the same fired stamp."""
    made = table(hooks=[handler()])
    folder = denying.bundle / "fire" / "claude-code"
    for kind in ("sh", "json"):
        shutil.copy(folder / f"pre-tool-use.{kind}", folder / f"pre-tool-use.Other.{kind}")
    assert denying.fire(slot="pre-tool-use.Other").decision == "deny"
    assert (denying.state / "fired" / "claude-code.pre-tool-use").exists()
    (denying.state / "disabled" / made["event"]).touch()
    assert denying.fire(slot="pre-tool-use.Other").silent


def test_project_entry_stands_down_for_the_users_own(denying: Rig) -> None:
    """A plugin placed in both scopes fires once."""
    arguments = ("pre-tool-use", "claude-code", "--project")
    assert denying.fire(None, *arguments).decision == "deny"
    (denying.state / "placed").write_text("claude-code.project my-claude-code.user\n")
    assert denying.fire(None, *arguments).decision == "deny"
    (denying.state / "placed").write_text("amp.user claude-code.user\n")
    assert denying.fire(None, *arguments).silent
    assert denying.fire().decision == "deny"


def test_fired_stamp(denying: Rig) -> None:
    """The stamp's mtime is the time of the last call."""
    stamp = denying.state / "fired" / "claude-code.pre-tool-use"
    denying.fire()
    os.utime(stamp, (1, 1))
    before = time.time()
    denying.fire()
    assert stamp.stat().st_mtime > before - 2
    assert stamp.read_bytes() == b""


def test_state_that_cannot_be_written(denying: Rig) -> None:
    """In a read-only home only the fired stamp is missing."""
    shutil.rmtree(denying.state / "fired")
    (denying.state / "fired").touch()
    result = denying.fire()
    assert (result.status, result.decision, result.err) == (0, "deny", b"")


class TestReentrancy:
    """A hook that starts an agent does not fire itself forever."""

    def test_inside_a_running_call(self, denying: Rig) -> None:
        """If the calling process is an ancestor that lives, the launcher exits."""
        assert denying.fire(env={"AGENT_PLUGIN_FIRING": f"acme@{os.getpid()}"}).silent
        assert denying.fire(env={"AGENT_PLUGIN_FIRING": f"b@1:acme@{os.getpid()}:c@2"}).silent

    def test_another_plugin_is_no_ancestor(self, denying: Rig) -> None:
        """Other plugins fire in an agent that a hook has started."""
        for value in (f"other@{os.getpid()}", f"x-acme@{os.getpid()}"):
            assert denying.fire(env={"AGENT_PLUGIN_FIRING": value}).decision == "deny"

    def test_a_call_that_is_over(self, denying: Rig) -> None:
        """The plugin fires again in a terminal or server that a hook once started."""
        ended = subprocess.Popen(["true"])
        ended.wait()
        for value in (f"acme@{ended.pid}", "acme@", "acme@x y"):
            assert denying.fire(env={"AGENT_PLUGIN_FIRING": value}).decision == "deny"

    def test_handlers_and_commands_pass_the_variable_on(self, shell_rig: Rig) -> None:
        """A hook that starts the launcher gets no output from it."""
        again = f'"{shell_rig.launcher}" claude-code pre-tool-use </dev/null'
        script = shell_rig.script(
            "again.sh", f'{again} >"$PLUGIN_DATA/out"; echo >>"$PLUGIN_DATA/out"'
        )
        shell_rig.slot(
            table(hooks=[handler()]), table(event="turn-end", hooks=[command(script)])
        ).handlers(
            f"""
            import os
            def handle(event):
                status = os.system({again!r})
                return {{"decision": "deny", "reason": f"status {{status}}"}}
            """
        )
        result = shell_rig.fire()
        assert result.reply["hookSpecificOutput"]["permissionDecisionReason"] == "status 0"
        assert result.err == b""
        shell_rig.fire(slot="turn-end")
        assert (shell_rig.state / "data" / "out").read_text() == "\n"


PATHS: dict[str, Any] = {
    "plugin": "acme",
    "state": "S",
    "bundle": "B",
    "python": "P",
    "runtime": "R",
}


def test_windows_launcher_has_crlf_and_the_same_checks() -> None:
    """It can't run here, so its text is checked."""
    text = launcher.render_windows(**PATHS)
    assert text.count("\r\n") == text.count("\n")
    for part in ("disabled\\all", "\\placed", "AGENT_PLUGIN_FIRING", "exit /b 0"):
        assert part in text
    assert "chcp" not in text


def test_windows_launcher_quotes_percent_signs_and_reads_utf8() -> None:
    """A folder name may hold percent signs and any letters."""
    text = launcher.render_windows(**{**PATHS, "state": "C:\\100%\\ü"})
    assert 'set "AP_STATE=C:\\100%%\\ü"' in text
    assert text.index("chcp 65001") < text.index("AP_STATE=") < text.index("chcp %AP_PAGE%")


def test_windows_launcher_for_all_users() -> None:
    """It names no user's folder and has no switches; a user's launcher gives way to it."""
    text = launcher.render_windows(**{**PATHS, "state": None})
    assert 'set "AP_STATE=%USERPROFILE%\\.agent-plugin\\acme"' in text
    assert "disabled" not in text
    own = launcher.render_windows(**PATHS, managed="C:\\P\\acme")
    assert 'if exist "C:\\P\\acme\\placed" (' in own


def test_windows_bootstrap_is_one_line_that_runs() -> None:
    """Without our package the code after -c exits silently."""
    line = next(x for x in launcher.render_windows(**PATHS).splitlines() if " -c " in x)
    code = line.split(' -c "')[1].split('" "')[0]
    assert '"' not in code
    assert "%" not in code
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, "/no", "/no", "/no", "/no", "h", "s"],
        capture_output=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
