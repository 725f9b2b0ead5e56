"""Portable commands, run by the slot script and by the dispatcher."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hatch_agentplugin.scripts.slot import slot_script
from tests.fire.rig import RUNTIME, TOOL_CALL, Rig, command, handler, start_table, stop_table, table

SILENT = "def handle(event): pass"
#: Writes its arguments, folder and variables into a file.
REPORT = r"""
{
  for word in "$@"; do printf '<%s>' "$word"; done
  printf '\n%s\n%s\n' "$PWD" "$PLUGIN_ROOT|$PLUGIN_DATA|$AGENT_PLUGIN_HOST|$AGENT_PLUGIN_EVENT|$MINE"
  cat
} >"$PLUGIN_DATA/report"
echo noise; echo noise >&2; exit 7
"""


@pytest.fixture(params=["shell", "dispatcher"])
def way(request: pytest.FixtureRequest) -> str:
    """What runs the command: the slot script or the dispatcher."""
    return str(request.param)


def lay(rig: Rig, way: str, *hooks: dict[str, Any], **changes: Any) -> Rig:
    """Lay out a slot. A handler beside the commands makes the dispatcher run them."""
    more = [handler()] if way == "dispatcher" else []
    return rig.slot(start_table(hooks=[*hooks, *more], **changes)).handlers(SILENT)


def test_no_python_is_started(shell_rig: Rig) -> None:
    """The slot script runs commands by itself."""
    shell_rig.place(python="/no/python")
    script = shell_rig.script("x.sh", 'echo ran >"$PLUGIN_DATA/out"')
    lay(shell_rig, "shell", command(script))
    assert shell_rig.fire(slot="session-start").silent
    assert (shell_rig.state / "data/out").read_text() == "ran\n"


def test_what_a_command_sees(shell_rig: Rig, way: str) -> None:
    """It gets arguments, environment and folder, but no input; output and status are discarded."""
    script = shell_rig.script("x.sh", REPORT)
    hook = command(
        script, "--data", "${PLUGIN_DATA}/a b", "it's $HOME", "", "*",
        env={"MINE": "${PLUGIN_ROOT}/é"},
    )  # fmt: skip
    lay(shell_rig, way, hook)
    assert shell_rig.fire(slot="session-start").silent
    data, root = shell_rig.state / "data", shell_rig.bundle
    words, folder, names, *rest = (data / "report").read_text("utf-8").split("\n")
    assert words == f"<--data><{data}/a b><it's $HOME><><*>"
    assert Path(folder) == shell_rig.project
    assert names == f"{root}|{data}|claude-code|session-start|{root}/é"
    assert rest == [""]


def test_data_folder_is_made_private(shell_rig: Rig, way: str) -> None:
    """Files of the command get the user's umask."""
    script = shell_rig.script("x.sh", 'umask >"$PLUGIN_DATA/out"')
    lay(shell_rig, way, command(script))
    shell_rig.fire(slot="session-start")
    assert stat.S_IMODE((shell_rig.state / "data").stat().st_mode) == 0o700
    assert (shell_rig.state / "data/out").read_text().strip() != "0077"


@pytest.mark.parametrize("folder", ["sub", "./sub", "-sub", "${PLUGIN_ROOT}/sub"])
def test_cwd(shell_rig: Rig, way: str, folder: str) -> None:
    """The folder is relative to the project, whatever CDPATH is."""
    root = shell_rig.bundle if "ROOT" in folder else shell_rig.project
    (root / folder.rpartition("/")[2]).mkdir()
    (shell_rig.state / "sub").mkdir()
    script = shell_rig.script("x.sh", 'pwd >"$PLUGIN_DATA/out"')
    lay(shell_rig, way, command(script, cwd=folder))
    shell_rig.fire(slot="session-start", env={"CDPATH": str(shell_rig.state)})
    written = (shell_rig.state / "data/out").read_text().strip()
    assert Path(written) == root / folder.rpartition("/")[2]


@pytest.mark.parametrize("name", ["no-such-program-xyz", "./gone.sh", "-x"])
def test_a_missing_program_is_nothing(shell_rig: Rig, way: str, name: str) -> None:
    """The next command still runs."""
    script = shell_rig.script("x.sh", 'echo ran >"$PLUGIN_DATA/out"')
    lay(shell_rig, way, command(name), command(script, cwd="no-such-folder"), command(script))
    assert shell_rig.fire(slot="session-start").silent
    assert (shell_rig.state / "data/out").exists()


def test_commands_run_in_order(shell_rig: Rig, way: str) -> None:
    """Commands run one after the other, also if the first is slow."""
    script = shell_rig.script("x.sh", 'sleep "$1"; printf %s "$2" >>"$PLUGIN_DATA/out"')
    lay(shell_rig, way, command(script, "0.3", "a"), command(script, "0", "b"))
    shell_rig.fire(slot="session-start")
    assert (shell_rig.state / "data/out").read_text() == "ab"


@pytest.mark.parametrize("when", [".acme", "it's a dir"])
def test_when(shell_rig: Rig, way: str, when: str) -> None:
    """``when`` is a path in the project."""
    script = shell_rig.script("x.sh", 'echo >"$PLUGIN_DATA/out"')
    lay(shell_rig, way, command(script, when=when))
    shell_rig.fire(slot="session-start")
    assert not (shell_rig.state / "data/out").exists()
    (shell_rig.project / when).mkdir()
    shell_rig.fire(slot="session-start")
    assert (shell_rig.state / "data/out").exists()


def test_when_looks_where_the_host_says_the_project_is(shell_rig: Rig, way: str) -> None:
    """Some hosts run hooks in another folder and name the project in a variable."""
    script = shell_rig.script("x.sh", 'echo >"$PLUGIN_DATA/out"')
    lay(shell_rig, way, command(script, when=".acme"), project_env=["THE_PROJECT"])
    elsewhere = shell_rig.state / "else where"
    (elsewhere / ".acme").mkdir(parents=True)
    shell_rig.fire(slot="session-start")
    assert not (shell_rig.state / "data/out").exists()
    shell_rig.fire(slot="session-start", env={"THE_PROJECT": str(elsewhere)})
    assert (shell_rig.state / "data/out").exists()


@pytest.mark.parametrize("stubborn", ["", "trap '' TERM;"])
def test_timeout(shell_rig: Rig, way: str, stubborn: str) -> None:
    """A command is terminated or killed at its timeout, and the next one runs."""
    slow = shell_rig.script(
        "slow.sh", f"{stubborn} i=0; while [ $i -lt 300 ]; do sleep 0.1; i=$((i + 1)); done"
    )
    script = shell_rig.script("x.sh", 'echo >"$PLUGIN_DATA/out"')
    lay(shell_rig, way, command(slow, timeout=0.5), command(script))
    result = shell_rig.fire(slot="session-start")
    assert result.silent
    assert result.seconds < 20
    assert (shell_rig.state / "data/out").exists()


def test_no_watcher_is_left_behind(shell_rig: Rig) -> None:
    """The host gets its end of file at once, and no sleep for the timeout is left running."""
    script = shell_rig.script("x.sh", "exit 0")
    seconds = 4_000 + os.getpid()  # a number that no other test uses
    lay(shell_rig, "shell", command(script, timeout=seconds))
    for _ in range(20):
        assert shell_rig.fire(slot="session-start").seconds < 20
    sleeping = f"sleep\0{seconds}\0".encode()
    for _ in range(200):
        left = [path for path in Path("/proc").glob("[0-9]*/cmdline") if _has(path, sleeping)]
        if not left:
            return
        time.sleep(0.05)
    raise AssertionError(left)


def _has(path: Path, text: bytes) -> bool:
    try:
        return text in path.read_bytes()
    except OSError:
        return False


def test_launcher_returns_at_the_slots_deadline(shell_rig: Rig) -> None:
    """If the commands take longer than the host waits, they continue in the background."""
    slow = shell_rig.script("slow.sh", 'sleep 5; echo done >"$PLUGIN_DATA/out"')
    lay(shell_rig, "shell", command(slow, timeout=30), command(slow, timeout=30), deadline=1.0)
    result = shell_rig.fire(slot="session-start")
    assert result.silent
    assert result.seconds < 4.8
    shell_rig.wait_for(shell_rig.state / "data/out")


def test_within_the_deadline_the_launcher_waits(shell_rig: Rig) -> None:
    """The launcher waits for commands that end in time."""
    script = shell_rig.script("x.sh", 'printf x >>"$PLUGIN_DATA/out"')
    lay(shell_rig, "shell", command(script, timeout=30), command(script, timeout=30), deadline=30.0)
    result = shell_rig.fire(slot="session-start")
    assert result.silent
    assert result.seconds < 20
    assert (shell_rig.state / "data/out").read_text() == "xx"


def test_detached(shell_rig: Rig, way: str) -> None:
    """The launcher returns at once; the command continues in a session of its own."""
    script = shell_rig.script(
        "x.sh",
        'sleep 2.5; ps -o sid= -p $$ >"$PLUGIN_DATA/sid"; echo "$AP_BACK" >"$PLUGIN_DATA/out"',
    )
    lay(shell_rig, way, command(script), detached=True)
    result = shell_rig.fire(slot="session-start")
    assert result.silent
    assert result.seconds < 2.4
    assert shell_rig.wait_for(shell_rig.state / "data/out") == "\n"
    assert (shell_rig.state / "fired/claude-code.session-start").exists()


def test_detached_without_setsid(shell_rig: Rig, tmp_path: Path) -> None:
    """Some systems lack setsid."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "sleep", "cat", "mkdir"):
        (tools / name).symlink_to(f"/bin/{name}")
    script = shell_rig.script("x.sh", 'sleep 0.5; echo out >"$PLUGIN_DATA/out"')
    lay(shell_rig, "shell", command(script), detached=True)
    assert shell_rig.fire(slot="session-start", env={"PATH": str(tools)}).silent
    shell_rig.wait_for(shell_rig.state / "data/out")


class TestFilters:
    """A hook never runs for another tool, and Python starts only if the shell is not certain."""

    def lay(self, rig: Rig, *tools: str, **changes: Any) -> Rig:
        """Lay out a command for some tools on a host without a matcher."""
        script = rig.script("x.sh", 'echo >>"$PLUGIN_DATA/out"')
        changes = {"exact": False, **changes}
        return rig.slot(table(hooks=[command(script, tools=list(tools))], **changes))

    def ran(self, rig: Rig, payload: dict[str, Any], **env: str) -> bool:
        """Return True if the command ran."""
        out = rig.state / "data/out"
        out.unlink(missing_ok=True)
        assert rig.fire(payload, env=env).silent
        return out.exists()

    @pytest.mark.parametrize(
        ("tools", "name", "runs"),
        [
            (["Bash"], "Bash", True),
            (["Bash"], "Write", False),
            (["Bash"], "BashOutput", False),
            (["Bash", "Write"], "Write", True),
            (["mcp__*"], "mcp__x__y", True),
            (["mcp__*"], "Bash", False),
            (["*"], "Anything", True),
            (["*__x"], "mcp__x", True),
            (["*__x"], "mcp__y", False),
            (["odd name"], "odd name", True),
            ([], "Bash", False),
        ],
    )
    def test_by_name(self, shell_rig: Rig, tools: list[str], name: str, runs: bool) -> None:
        """Patterns are exact names or hold stars."""
        self.lay(shell_rig, *tools)
        assert self.ran(shell_rig, {**TOOL_CALL, "tool_name": name}) is runs

    def test_name_elsewhere_in_the_payload(self, shell_rig: Rig) -> None:
        """The text search is a first test; the dispatcher reads the right field."""
        self.lay(shell_rig, "Bash")
        payload = {**TOOL_CALL, "tool_name": "Write", "tool_input": {"text": "Bash", "Bash": 1}}
        assert not self.ran(shell_rig, payload)

    def test_a_miss_starts_no_python(self, shell_rig: Rig) -> None:
        """A name inside a longer string does not count."""
        self.lay(shell_rig, "Bash")
        payload = {**TOOL_CALL, "tool_name": "Write", "tool_input": {"x": 'say "Bash" now'}}
        assert shell_rig.traced(payload) is None
        assert shell_rig.traced(TOOL_CALL) is not None

    def test_without_cat(self, shell_rig: Rig, tmp_path: Path) -> None:
        """The dispatcher then reads the payload itself."""
        self.lay(shell_rig, "Bash")
        (tmp_path / "empty").mkdir()
        assert self.ran(shell_rig, TOOL_CALL, PATH=str(tmp_path / "empty"))

    def test_open_input_is_not_read_by_the_shell(self, shell_rig: Rig) -> None:
        """``cat`` would wait forever."""
        self.lay(shell_rig, "Bash", stdin_may_stay_open=True)
        made = (shell_rig.bundle / "fire/claude-code/pre-tool-use.sh").read_text()
        assert "cat" not in made
        assert self.ran(shell_rig, TOOL_CALL)
        assert not self.ran(shell_rig, {**TOOL_CALL, "tool_name": "Write"})

    def test_some_filtered_some_not(self, shell_rig: Rig) -> None:
        """Each hook has its own filter."""
        script = shell_rig.script("x.sh", 'echo "$1" >>"$PLUGIN_DATA/out"')
        hooks = [command(script, "all"), command(script, "bash", tools=["Bash"])]
        shell_rig.slot(table(hooks=hooks, exact=False))
        for name, lines in (("Bash", "all\nbash\n"), ("Read", "all\n")):
            (shell_rig.state / "data/out").unlink(missing_ok=True)
            shell_rig.fire({**TOOL_CALL, "tool_name": name})
            assert (shell_rig.state / "data/out").read_text() == lines

    def test_exact_is_not_filtered_again(self, shell_rig: Rig) -> None:
        """The host's own matcher is exact."""
        self.lay(shell_rig, "Bash", exact=True)
        shell_rig.place(python="/no/python")
        assert self.ran(shell_rig, TOOL_CALL)

    @pytest.mark.parametrize(
        ("changes", "payload", "runs"),
        [
            ({"only": [[["why"], ["done"]]]}, {"why": "done"}, True),
            ({"only": [[["why"], ["done"]]]}, {"why": "stop"}, False),
            ({"only": [[["why"], ["done"]]]}, {"why": "stop", "x": "done"}, False),
            ({"only": [[["why"], ["done"]]]}, {}, False),
            ({"only": [[["a", "b"], [True, None]]]}, {"a": {"b": True}}, True),
            ({"not_when": [[["why"], ["shutdown"]]]}, {"why": "shutdown"}, False),
            ({"not_when": [[["why"], ["shutdown"]]]}, {"why": "end"}, True),
            ({"not_when": [[["why"], ["shutdown"]]]}, {"x": "shutdown"}, True),
            ({"not_when": [[["again"], [True]]]}, {"again": True}, False),
            ({"not_when": [[["again"], [True]]]}, {"again": False}, True),
            ({"not_when": [[["why"], ["two words"]]]}, {"why": "two words"}, False),
            ({"not_when": [[["why"], ["two words"]]]}, {"why": "x"}, True),
        ],
    )
    def test_by_payload(
        self, shell_rig: Rig, changes: dict[str, Any], payload: dict[str, Any], runs: bool
    ) -> None:
        """``only`` and ``not_when``."""
        script = shell_rig.script("x.sh", 'echo >>"$PLUGIN_DATA/out"')
        shell_rig.slot(stop_table(hooks=[command(script)], **changes))
        shell_rig.fire({"s": 1, **payload}, "turn-end")
        assert (shell_rig.state / "data/out").exists() is runs

    def test_not_when_needs_no_python_where_the_value_is_absent(self, shell_rig: Rig) -> None:
        """The common case costs no interpreter."""
        script = shell_rig.script("x.sh", 'echo >>"$PLUGIN_DATA/out"')
        shell_rig.slot(stop_table(hooks=[command(script)], not_when=[[["why"], ["shutdown"]]]))
        shell_rig.place(python="/no/python")
        shell_rig.fire({"why": "end"}, "turn-end")
        assert (shell_rig.state / "data/out").exists()


WORDS = st.text(st.characters(blacklist_characters="\0", blacklist_categories=["Cs"]), max_size=30)


@given(args=st.lists(WORDS, max_size=4), value=WORDS)
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_word_survives_the_shell(tmp_path: Path, args: list[str], value: str) -> None:
    """Arguments and values reach the command unchanged."""
    root = tmp_path / str(time.monotonic_ns())
    rig = Rig(root)
    script = rig.script(
        "x.sh",
        'for w in "$@"; do printf "%s\\0" "$w"; done >"$PLUGIN_DATA/out"; printf %s "$V" >"$PLUGIN_DATA/v"',
    )
    rig.slot(start_table(hooks=[command(script, *args, env={"V": value})]))
    rig.fire(slot="session-start")

    def fill(text: str) -> str:
        return text.replace("${PLUGIN_ROOT}", str(rig.bundle)).replace(
            "${PLUGIN_DATA}", str(rig.state / "data")
        )

    assert (rig.state / "data/out").read_bytes() == b"".join(
        fill(word).encode() + b"\0" for word in args
    )
    assert (rig.state / "data/v").read_bytes() == fill(value).encode()


def test_script_is_a_pure_function_without_machine_paths() -> None:
    """The same table gives the same script on every machine."""
    made = table(hooks=[handler(), command("./x.sh")])
    assert slot_script(made) == slot_script(dict(reversed(made.items())))
    assert str(RUNTIME) not in slot_script(made)
