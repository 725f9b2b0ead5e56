"""``inspect``."""

from __future__ import annotations

from typing import Any

from hatch_agentplugin.cli import command, plugin
from hatch_agentplugin.cli import options as _options
from hatch_agentplugin.cli.command import Command, Option
from hatch_agentplugin.cli.ui import out, out_json, paint, table
from hatch_agentplugin.simulate import Bundle


def commands() -> tuple[Command, ...]:
    """The command of this module."""
    options = (Option("plugin", metavar="PLUGIN"), command.hosts("all"), command.JSON)
    return (Command("inspect", "show what would be placed, and why", run_inspect, options),)


def run_inspect(options: Any) -> int:
    """Show the build's report, the hooks of each slot and the files that would hold the entries."""
    installed, bundle = plugin.find(options.plugin)
    known = {cell.host for cell in bundle.plan.report} | set(bundle.plan.hosts)
    hosts = _options.host_names(options.host, known) or sorted(known)
    rows = [_inspect(bundle, host) for host in hosts]
    if options.json:
        out_json({"plugin": installed.id, "version": installed.version, "hosts": rows})
        return 0
    out(f"{paint(installed.name, 'bold')} {installed.version}  {bundle.folder}")
    for row in rows:
        out()
        out(paint(row["host"], "bold"))
        cells = [
            (f"  {cell['event']}", cell["native"] or "-", cell["state"], cell["reason"])
            for cell in row["events"]
        ]
        if cells:
            out(table(cells))
        for slot in row["slots"]:
            for hook in slot["hooks"]:
                out(f"  {slot['slot']}: {hook}")
        for file in row["files"]:
            out(f"  {file['scope']}: {file['path']}")
    return 0


def _inspect(bundle: Bundle, host: str) -> dict[str, Any]:
    plan = bundle.plan.hosts.get(host)
    cells = bundle.cells(host)
    slots = []
    for slot in plan.slots if plan else ():
        fired = bundle.table(host, slot)
        hooks = [_hook_line(hook, fired) for hook in fired["hooks"]]
        slots.append({"slot": slot, "native": fired["native"], "hooks": hooks,
                      "exact": fired["exact"], "answers": fired["answers"]})  # fmt: skip
    return {
        "host": host,
        "events": [
            {"event": c.event, "native": c.native, "state": c.state, "reason": c.reason}
            for c in cells
        ],
        "slots": slots,
        "files": [
            {"scope": scope, "path": path}
            for scope, placements in (plan.scopes if plan else {}).items()
            for path in dict.fromkeys(_path(file) for p in placements for file in p.files[:1])
        ],
    }


def _path(target: Any) -> str:
    """A target as its folder's default has it; variables may move it."""
    parts = [target.dir.default, target.dir.inside, target.path]
    return "/".join(part for part in parts if part)


def _hook_line(hook: dict[str, Any], fired: dict[str, Any]) -> str:
    what = hook.get("handler") or " ".join([hook["command"], *hook["args"]])
    tools = hook.get("tools")
    parts = [hook["key"], what, f"{hook['timeout']:g} s"]
    if tools is not None:
        parts.append(
            f"tools {', '.join(tools)}" + ("" if fired["exact"] else " (filtered at run time)")
        )
    if hook.get("when"):
        parts.append(f"when {hook['when']} exists")
    if hook.get("on_error") == "deny":
        parts.append("refuses on error")
    return "  ".join(parts)
