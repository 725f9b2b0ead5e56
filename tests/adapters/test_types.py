"""The code modules fit the types that the hosts publish (``tsc --strict``)."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from hatch_agentplugin.adapter import Host
from hatch_agentplugin.plan import LAUNCHER_TEXT
from tests.adapters._node import rendered, slots
from tests.adapters.test_tables import HOSTS
from tests.hosts import _cache

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed"),
]

#: Host -> the package that has its types, and what resolves them.
PACKAGES = {
    "opencode": ("@opencode-ai/plugin@1.18.33",),
    "kilo-cli": ("@kilocode/plugin@7.3.1",),
    "pi": ("@earendil-works/pi-coding-agent@1.6.0",),
}
TOOLS = ("typescript@5.9.3", "@types/node@22.19.0")
OPTIONS = {
    "strict": True,
    "noEmit": True,
    "allowJs": True,
    "checkJs": True,
    "skipLibCheck": True,
    "target": "es2022",
    "module": "esnext",
    "moduleResolution": "bundler",
    "lib": ["es2022", "dom"],
    "types": ["node"],
}


@pytest.mark.parametrize(
    ("host_id", "scope"), [*((name, "user") for name in PACKAGES), ("opencode", "project")]
)
def test_module_type_checks(host_id: str, scope: str, tmp_path: Path) -> None:
    """Every event is declared, so every member of the module is checked."""
    host: Host = HOSTS[host_id]
    installed = _cache.npm((*TOOLS, *PACKAGES[host_id]))
    (tmp_path / "node_modules").symlink_to(installed / "node_modules")
    text = rendered(host, scope, slots(host, *host.events))
    (tmp_path / "acme.js").write_text(text.replace(LAUNCHER_TEXT, '"/x"'), encoding="utf-8")
    config = {"compilerOptions": OPTIONS, "files": ["acme.js"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(config), encoding="utf-8")
    compiler = installed / "node_modules" / ".bin" / "tsc"
    done = subprocess.run([str(compiler), "-p", "."], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
