"""A small project in which tests declare hooks."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from hatch_agentplugin.config import ConfigError, load
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.plan import Plugin

SAMPLE = Path(__file__).parents[1] / "build" / "projects" / "sample"
HOSTS = ("claude-code", "codex", "cursor")
PLUGIN = Plugin("acme", "Acme", "1.2", "Does things.")


@dataclass(frozen=True)
class Sample:
    """A copy of the sample project; tests write its ``[tool.agent-plugin]``."""

    root: Path

    def declare(self, toml: str) -> Declaration:
        """Return the declaration for this text of pyproject.toml after ``[project]``."""
        text = f'[project]\nname = "acme"\n{toml}\n'
        (self.root / "pyproject.toml").write_text(text, "utf-8")
        files = [file for file in (self.root / "src").rglob("*") if file.is_file()]
        sources = {file.relative_to(self.root / "src").as_posix(): file for file in files}
        return load(self.root, HOSTS, PLUGIN, sources)

    def hooks(self, toml: str) -> Declaration:
        """Return the declaration for these lines of ``[tool.agent-plugin.hooks]``."""
        return self.declare(f"[tool.agent-plugin.hooks]\n{toml}")

    def mistakes(self, toml: str) -> str:
        """Return the error for these lines of ``[tool.agent-plugin.hooks]``."""
        with pytest.raises(ConfigError) as caught:
            self.hooks(toml)
        return str(caught.value)


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    root = tmp_path / "acme"
    shutil.copytree(SAMPLE, root)
    return Sample(root)
