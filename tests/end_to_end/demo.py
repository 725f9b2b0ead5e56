"""Shows the main job: build, install, activate, fire, deactivate.

Run it with ``python3 dev.py demo``. Everything happens in a temporary folder with its own home
folder; nothing else on the machine is changed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
BIN = "Scripts" if os.name == "nt" else "bin"

#: Settings that a user may have already, with comments and irregular white space.
FOREIGN = {
    ".claude/settings.json": '{\n  "model": "opus",   "permissions": {"allow": ["Bash(ls *)"]}\n}',
    ".codex/hooks.json": '{"description": "mine", "hooks": {}}\n',
    ".cursor/hooks.json": '{\r\n\t"hooks": {"stop": [{"command": "say done"}]},\r\n\t"version": 1\r\n}\r\n',
    ".copilot/hooks/mine.json": '{"version": 1, "hooks": {}}\n',
    ".gemini/settings.json": '{\n    // quiet, please\n    "ui": {"theme": "GitHub"}, // last\n}\n',
    ".config/opencode/opencode.json": '{"theme": "opencode"}\n',
    "Documents/Cline/Hooks/PreToolUse": "#!/bin/sh\necho '{}'\n",
}
FORBIDDEN = "rm -rf /"
HOSTS = ("claude-code", "cline", "codex", "copilot-cli", "cursor", "gemini-cli", "opencode")


def say(text: str) -> None:
    print(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n== {text}", flush=True)


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """Run a program that must succeed, print its output and return it."""
    print("$", Path(command[0]).name, *command[1:], flush=True)
    out = quiet(*command, env=env)
    print(out, end="", flush=True)
    return out


def quiet(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """Run a program that must succeed and return its output."""
    arguments = [str(part) for part in command]
    done = subprocess.run(arguments, env=env, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + f"{arguments} ended with status {done.returncode}")
    return done.stdout


def contents(home: Path) -> dict[str, bytes]:
    return {str(p.relative_to(home)): p.read_bytes() for p in home.rglob("*") if p.is_file()}


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="agent-plugin-demo-") as name:
        demo(Path(name))


def demo(folder: Path) -> None:
    dist, venv, home = folder / "dist", folder / "venv", folder / "home"
    build_env = {**os.environ, "PIP_FIND_LINKS": str(dist), "PIP_QUIET": "1"}

    say("1. Build hatch-agentplugin, then the example plugin with it")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", dist, TREE, env=build_env)
    run(
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--outdir",
        dist,
        TREE / "example-plugin",
        env=build_env,
    )

    say("2. Install the plugin into a new environment, as a user does")
    run(sys.executable, "-m", "venv", venv)
    (wheel,) = dist.glob("example_plugin-*.whl")
    run(venv / BIN / "python", "-m", "pip", "install", wheel, env=build_env)

    for path, text in FOREIGN.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_bytes(text.encode())
    (home / "Documents/Cline/Hooks/PreToolUse").chmod(0o755)
    before = contents(home)
    user = {"HOME": str(home), "USERPROFILE": str(home), "PATH": os.defpath, "LANG": "C.UTF-8"}
    agent_plugin = venv / BIN / "agent-plugin"

    say("3. Activate it in the seven agents of this home folder")
    run(agent_plugin, "activate", "--dry-run", "--host", "gemini-cli", env=user)
    run(agent_plugin, "activate", "--yes", env=user)

    say(f"4. Each agent is about to run {FORBIDDEN!r}")
    ask = ("simulate", "example-plugin", "--host", ",".join(HOSTS))
    ask += ("--event", "pre-tool-use", "--tool", "shell")
    given = ("--input", json.dumps({"command": FORBIDDEN}))
    run(agent_plugin, *ask, *given, env=user)
    rows = json.loads(quiet(agent_plugin, *ask, *given, "--json", env=user))
    refused = [row["host"] for row in rows if row["outcome"] == "deny"]
    assert tuple(sorted(refused)) == HOSTS, f"only {refused} refused"
    run(agent_plugin, "status", env=user)

    say("5. Activate again: nothing changes. Deactivate: every byte is restored")
    active = contents(home)
    run(agent_plugin, "activate", "--yes", env=user)
    assert contents(home) == active, "the second activate changed a file"
    run(agent_plugin, "deactivate", "--yes", env=user)
    assert contents(home) == before, "deactivate left something behind"
    say("Every file in the home folder is as it was. Done.")


if __name__ == "__main__":
    main()
