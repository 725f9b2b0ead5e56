"""Editable installs contain the bundle, in every mode of hatchling."""

from __future__ import annotations

import os

import pytest

from tests.build.conftest import BUNDLE, DECLARATION, PROJECT, Project

ANOTHER_HOOK = """\
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Hook(BuildHookInterface):
    def initialize(self, version, build_data):
        build_data["force_include_editable"]["data/rules.json"] = "other/rules.json"
"""


@pytest.mark.parametrize(
    "options",
    ["", 'dev-mode-dirs = ["src"]', "dev-mode-exact = true"],
    ids=["detected", "dirs", "exact"],
)
def test_bundle_and_mark_are_there(project: Project, options: str) -> None:
    project.write(f"{PROJECT}[tool.hatch.build]\n{options}\n{DECLARATION}")
    wheel = project.editable()
    assert wheel.metadata("plugin.json")["bundle"] == BUNDLE
    assert {"plan.json", "scripts/turn-end.sh", "data/rules.json"} <= set(wheel.bundle())
    assert os.name == "nt" or wheel.modes[f"{BUNDLE}/scripts/turn-end.sh"] == 0o755
    assert not [name for name in wheel.files if name.startswith("acme/")]


def test_bundle_is_that_of_the_normal_wheel(project: Project) -> None:
    editable = project.editable()
    editable.path.unlink()
    assert project.wheel("--wheel").bundle() == editable.bundle()


def test_hook_that_replaces_what_editable_installs_get(project: Project) -> None:
    """If another hook sets ``force_include_editable``, hatchling ignores ``force_include``."""
    hooks = "[tool.hatch.build.hooks.custom]\n\n[tool.hatch.build.hooks.agent-plugin]"
    text = PROJECT.replace("[tool.hatch.build.hooks.agent-plugin]", hooks)
    project.write(text + DECLARATION)
    project.write(ANOTHER_HOOK, "hatch_build.py")
    wheel = project.editable()
    assert "other/rules.json" in wheel.files
    assert "plan.json" in wheel.bundle()
