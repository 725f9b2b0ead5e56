"""Scripts, included files and working folders must be inside the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hatch_agentplugin.config import ConfigError
from tests.config.conftest import Sample

posix = pytest.mark.skipif(os.name == "nt", reason="modes and links of POSIX")


def command(sample: Sample, text: str) -> str:
    """Return the error about a command without its key."""
    text = sample.mistakes(f"turn-end = {{ command = '{text}' }}")
    return text.removeprefix("pyproject.toml: tool.agent-plugin.hooks.turn-end.command: ")


@pytest.mark.parametrize("text", ["git", "python3.12", "g++", "./scripts/turn-end.sh"])
def test_right_command(sample: Sample, text: str) -> None:
    (hook,) = sample.hooks(f"turn-end = {{ command = '{text}' }}").hooks
    assert hook.command == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "git status --short",
            ('"git status --short" is not one executable\n'
            '  write command = "git", args = ["status", "--short"]; commands do not run in a shell'),
        ),
        (
            "./scripts/turn-end.sh --all",
            ('"./scripts/turn-end.sh --all" is not one executable\n'
            '  write command = "./scripts/turn-end.sh", args = ["--all"]; commands do not run in a shell'),
        ),
        (
            "scripts/turn-end.sh",
            ('"scripts/turn-end.sh" is not one executable\n'
            '  write "./scripts/turn-end.sh" for a file of the project'),
        ),
        (
            "scripts\\turn-end.sh",
            ('"scripts\\turn-end.sh" is not one executable\n'
            '  write "./scripts/turn-end.sh" for a file of the project'),
        ),
        (
            "./scripts\\turn-end.sh",
            '"./scripts\\turn-end.sh" contains a backslash\n  write "./scripts/turn-end.sh"',
        ),
        (
            "${PLUGIN_ROOT}/scripts/turn-end.sh",
            ('the command "${PLUGIN_ROOT}/scripts/turn-end.sh" contains a placeholder\n'
            '  write a bare program name or a path like "./scripts/hook.sh"; '
            "placeholders are for args, env and cwd"),
        ),
        (
            "/usr/bin/git",
            ('"/usr/bin/git" is not one executable\n'
            '  write a bare program name ("git"), or "./" and a path inside the project'),
        ),
        (
            "~/bin/x",
            ('"~/bin/x" is not one executable\n'
            '  write a bare program name ("git"), or "./" and a path inside the project'),
        ),
        (
            "",
            ('"" is not one executable\n'
            '  write a bare program name ("git"), or "./" and a path inside the project'),
        ),
        (
            "./../other/x.sh",
            ('"./../other/x.sh" is not a path inside the project\n'
            '  write a relative path without "..", for example "./scripts/hook.sh"'),
        ),
        (
            "./scripts/turn_end.sh",
            '"./scripts/turn_end.sh" does not exist\n  did you mean "./scripts/turn-end.sh"?',
        ),
        (
            "./nowhere/x.sh",
            ('"./nowhere/x.sh" does not exist\n'
            "  write the path of an existing file, relative to pyproject.toml"),
        ),
        ("./scripts", '"./scripts" is not a file\n  write the path of the script itself'),
        (
            "./fire/x.sh",
            ('"./fire/x.sh" collides with "fire" of the bundle itself\n'
            "  move it into another folder, for example ./scripts/"),
        ),
    ],
    ids=[
        "line", "script with arguments", "no-dot", "backslash", "dot-and-backslash", "placeholder", "absolute", "home",
        "empty", "outside", "misspelt", "nowhere", "folder", "reserved",
    ],
)  # fmt: skip
def test_wrong_command(sample: Sample, text: str, expected: str) -> None:
    assert command(sample, text) == expected


@posix
def test_script_without_exec_bit(sample: Sample) -> None:
    assert command(sample, "./scripts/plain.txt") == (
        '"./scripts/plain.txt" is not executable\n'
        "  run: chmod +x ./scripts/plain.txt, and commit the mode"
    )


@posix
def test_link_out_of_the_project(sample: Sample, tmp_path: Path) -> None:
    outside = tmp_path / "outside.sh"
    outside.write_text("#!/bin/sh\n")
    outside.chmod(0o755)
    (sample.root / "scripts/link.sh").symlink_to(outside)
    assert command(sample, "./scripts/link.sh").startswith(
        '"./scripts/link.sh" is a link that points outside the project'
    )


@posix
def test_link_inside_the_project(sample: Sample) -> None:
    (sample.root / "scripts/link.sh").symlink_to("turn-end.sh")
    assert sample.hooks('turn-end = { command = "./scripts/link.sh" }').files == (
        "scripts/link.sh",
    )


@posix
def test_files_linked_from_outside_stay_behind(sample: Sample, tmp_path: Path) -> None:
    """A link out of the project is left out of an included folder."""
    (tmp_path / "secret").touch()
    (sample.root / "data/link").symlink_to(tmp_path / "secret")
    (sample.root / "data/gone").symlink_to(tmp_path / "nowhere")
    files = sample.declare('[tool.agent-plugin]\ninclude = ["data"]').files
    assert files == ("data/more/a.txt", "data/rules.json")


@posix
def test_first_line_with_crlf(sample: Sample) -> None:
    """Such a script exists and is executable, but its interpreter is "not found"."""
    (sample.root / "scripts/turn-end.sh").write_bytes(b"#!/bin/sh\r\nexit 0\r\n")
    assert command(sample, "./scripts/turn-end.sh").startswith(
        'the first line of "./scripts/turn-end.sh" ends with CRLF'
    )


def test_script_that_the_sdist_lacks(sample: Sample) -> None:
    """The error says that the sdist lacks the script."""
    (sample.root / "PKG-INFO").touch()
    text = command(sample, "./scripts/no.sh")
    assert text.startswith('"./scripts/no.sh" is missing from the source distribution\n')
    assert "tool.hatch.build.targets.sdist" in text


def test_argument_below_the_plugin_that_does_not_exist(sample: Sample) -> None:
    text = sample.mistakes('Stop = { command = "git", args = ["${PLUGIN_ROOT}/data/rule.json"] }')
    assert '"data/rule.json" does not exist\n  did you mean "./data/rules.json"?' in text


@pytest.mark.parametrize(
    "text", ["docs", "${PLUGIN_ROOT}", "${PLUGIN_DATA}/a/b", "${PLUGIN_ROOT}/"]
)
def test_right_working_folder(sample: Sample, text: str) -> None:
    assert sample.hooks(f"Stop = {{ command = 'git', cwd = '{text}' }}").hooks[0].cwd == text


@pytest.mark.parametrize("text", ["/tmp", "..", "${PLUGIN_ROOT}/../x", "~", "x${PLUGIN_ROOT}:"])
def test_wrong_working_folder(sample: Sample, text: str) -> None:
    text = sample.mistakes(f"Stop = {{ command = 'git', cwd = '{text}' }}")
    assert "is not a path below the user's project, the plugin or its data" in text


@pytest.mark.parametrize("text", ["/etc", "../x", "~/x", "C:/x", "", "."])
def test_wrong_condition(sample: Sample, text: str) -> None:
    text = sample.mistakes(f"Stop = {{ command = 'git', when = '{text}' }}")
    assert 'write a relative path without "..", for example ".acme"' in text


def test_whole_project_does_not_travel(sample: Sample) -> None:
    with pytest.raises(ConfigError, match=r'include\[1\]: "\./" is not a path inside'):
        sample.declare('[tool.agent-plugin]\ninclude = ["./"]')
