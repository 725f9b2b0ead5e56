"""Renders the code modules of adapters from jinja2 templates; needed only to compile."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from hatch_agentplugin.plan import PLACED_NOTE


@cache
def _environment(package: str) -> Environment:
    environment = Environment(
        # Every adapter may include the bridge's own template.
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("hatch_agentplugin.hosts")]),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        newline_sequence="\n",
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # JavaScript and shell, not HTML
    )
    environment.filters["json"] = _json
    environment.globals["placed_note"] = PLACED_NOTE
    return environment


def _json(value: Any) -> str:
    """Return JSON that is a JavaScript expression; jinja2's own ``tojson`` escapes for HTML."""
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def render(package: str, template: str, context: Mapping[str, Any]) -> str:
    """Return the text of ``templates/<template>`` in an adapter's package.

    Raises jinja2's errors if the template is missing or uses an unknown name.
    """
    return _environment(package).get_template(template).render(context)
