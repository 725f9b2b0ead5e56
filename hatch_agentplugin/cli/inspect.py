"""``inspect``: show what ``activate`` would place for each agent, and why."""

from __future__ import annotations

from typing import Any

from hatch_agentplugin.cli.arguments import Options, Subparsers, add_hosts, add_json
from hatch_agentplugin.cli.lookup import host_names
from hatch_agentplugin.cli.plugins import find_plugin
from hatch_agentplugin.cli.terminal import out, out_json, paint, table
from hatch_agentplugin.hosts.delivery import File
from hatch_agentplugin.simulate import Bundle


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "inspect", help="show what activate would place for each agent, and why"
    )
    parser.add_argument("plugin", metavar="PLUGIN")
    add_hosts(parser, "every agent")
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: Options) -> int:
    """Print each host's part of the build report, its hooks and its files. Returns 0."""
    plugin, bundle = find_plugin(options.plugin)
    known = {cell.host for cell in bundle.plan.report} | set(bundle.plan.hosts)
    hosts = host_names(options.host, known) or sorted(known)
    rows = [_host(bundle, host) for host in hosts]
    if options.json:
        out_json({"plugin": plugin.id, "version": plugin.version, "hosts": rows})
        return 0
    out(f"{paint(plugin.name, 'bold')} {plugin.version}  {bundle.folder}")
    for row in rows:
        _show(row)
    return 0


def _show(row: dict[str, Any]) -> None:
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


def _host(bundle: Bundle, host: str) -> dict[str, Any]:
    """Return the row of one host in the JSON document."""
    plan = bundle.plan.hosts.get(host)
    return {
        "host": host,
        "events": [
            {"event": c.event, "native": c.native, "state": c.state, "reason": c.reason}
            for c in bundle.cells(host)
        ],
        "slots": [_slot(bundle, host, slot) for slot in (plan.slots if plan else ())],
        "files": [
            {"scope": scope, "path": path}
            for scope, placements in (plan.scopes if plan else {}).items()
            for path in dict.fromkeys(_path(file) for p in placements for file in p.files[:1])
        ],
    }


def _slot(bundle: Bundle, host: str, slot: str) -> dict[str, Any]:
    fired = bundle.table(host, slot)
    return {
        "slot": slot,
        "native": fired["native"],
        "hooks": [_hook(hook, fired["exact"]) for hook in fired["hooks"]],
        "exact": fired["exact"],
        "answers": fired["answers"],
    }


def _path(target: File) -> str:
    """Return the default path of a target; environment variables may move its folder."""
    parts = [target.dir.default, target.dir.inside, target.path]
    return "/".join(part for part in parts if part)


def _hook(hook: dict[str, Any], is_exact: bool) -> str:
    """Describe a hook; ``is_exact`` says that the host's own matcher selects its tools."""
    what = hook.get("handler") or " ".join([hook["command"], *hook["args"]])
    parts = [hook["key"], what, f"{hook['timeout']:g} s"]
    if (tools := hook.get("tools")) is not None:
        parts.append(f"tools {', '.join(tools)}" + ("" if is_exact else " (filtered at run time)"))
    if hook.get("when"):
        parts.append(f"when {hook['when']} exists")
    if hook.get("on_error") == "deny":
        parts.append("denies on error")
    return "  ".join(parts)
