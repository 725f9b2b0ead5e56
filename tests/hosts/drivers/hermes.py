"""Hermes: Chat Completions, all settings in one file with the hooks."""

from __future__ import annotations

from tests.hosts._sandbox import URL
from tests.hosts.drivers._driver import PROMPT, Driver, PyPI, call

CONFIG = f"""\
model:
  default: mock
  provider: custom
  base_url: {URL}/v1
  api_key: dummy
"""

DRIVER = Driver(
    id="hermes",
    version="0.19.0",
    install=PyPI(("hermes-agent==0.19.0",), "hermes", python="3.13"),
    # Without consent no shell hook fires headless; a test of consent leaves the flag out.
    args=("--accept-hooks", "-z", PROMPT),
    approve=("--yolo",),
    shell=lambda command: call("terminal", command=command),
    write=lambda path, text: call("write_file", path=path, content=text),
    files={".hermes/config.yaml": CONFIG},
)
