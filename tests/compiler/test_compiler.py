"""Compiling a declaration for hosts of every shape."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from hatch_agentplugin.adapter import (
    Dir,
    Entries,
    File,
    Host,
    Matcher,
    Module,
    Native,
    Register,
    Run,
)
from hatch_agentplugin.compiler import Bundle, compile_bundle
from hatch_agentplugin.compiler.slots import matchers
from hatch_agentplugin.declaration import Declaration, Hook
from hatch_agentplugin.plan import Item, Key, OwnFile, Plan, Plugin, Shim
from tests.compiler.hosts import (
    EVIDENCE,
    GROUPED,
    entries_host,
    executables_host,
    hookless_host,
    module_host,
    reader_host,
)

PLUGIN = Plugin("acme", "Acme", "1.0")


def handler(event: str, n: int = 1, **changes: Any) -> Hook:
    return Hook(key=f"hooks.{event}[{n}]", event=event, handler="acme.hooks:guard", **changes)


def command(event: str, n: int = 1, **changes: Any) -> Hook:
    return Hook(key=f"hooks.{event}[{n}]", event=event, command="./scripts/log.sh", **changes)


def render(package: str, template: str, context: Mapping[str, Any]) -> str:
    return json.dumps({"template": template, **context}, sort_keys=True)


def compiled(*hooks: Hook, hosts: tuple[Host, ...], **more: Any) -> Bundle:
    return compile_bundle(Declaration(plugin=PLUGIN, hooks=hooks, **more), hosts, render)


def table(bundle: Bundle, path: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(bundle.files[f"fire/{path}.json"])
    return loaded


def test_entry_has_launcher_matcher_and_timeout() -> None:
    """The entry has the native event, an exact matcher, a timeout and a launcher placeholder."""
    bundle = compiled(
        handler("pre-tool-use", tools=("shell", "file.write"), timeout=10), hosts=(entries_host(),)
    )
    (item,) = bundle.plan.hosts["alpha"].scopes["user"]
    assert isinstance(item, Item)
    assert item.at == ("hooks", "PreTool")
    launcher = {"$launcher": {"slot": "pre-tool-use", "form": "sh"}}
    assert item.value == {
        "matcher": "Bash|Write|Edit",
        "hooks": [{"type": "command", "command": launcher, "timeout": 15}],
    }


def test_entry_without_tools_has_no_matcher_key() -> None:
    """A key whose placeholder has no value is left out."""
    bundle = compiled(handler("turn-end"), hosts=(entries_host(),))
    (item,) = bundle.plan.hosts["alpha"].scopes["user"]
    assert "matcher" not in item.value  # type: ignore[union-attr]


def test_milliseconds_host_gets_milliseconds() -> None:
    """The declared seconds are converted to the host's unit."""
    bundle = compiled(
        handler("turn-end", timeout=2.5), hosts=(entries_host(run=Run(unit="ms", guard=True)),)
    )
    (item,) = bundle.plan.hosts["alpha"].scopes["user"]
    assert isinstance(item, Item)
    assert item.value["hooks"][0]["timeout"] == 7500
    assert item.value["hooks"][0]["command"]["$launcher"]["guard"] is True


def test_one_entry_for_several_handlers() -> None:
    """Several hooks on one event make one entry; the table lists them in declared order."""
    bundle = compiled(
        handler("pre-tool-use", 1, tools=("shell",)),
        command("pre-tool-use", 2, tools=("mcp",)),
        hosts=(entries_host(),),
    )
    (item,) = bundle.plan.hosts["alpha"].scopes["user"]
    assert isinstance(item, Item)
    assert item.value["matcher"] == "^(Bash|mcp__.*)$"
    fire = table(bundle, "alpha/pre-tool-use")
    assert [hook["tools"] for hook in fire["hooks"]] == [["Bash"], ["mcp__*"]]
    assert fire["exact"] is False
    assert bundle.plan.report[0].state == "filtered"


def test_one_hook_for_every_tool_drops_the_matcher() -> None:
    """The entry must reach every hook, so the widest one decides."""
    bundle = compiled(
        handler("pre-tool-use", 1, tools=("shell",)),
        handler("pre-tool-use", 2),
        hosts=(entries_host(),),
    )
    (item,) = bundle.plan.hosts["alpha"].scopes["user"]
    assert "matcher" not in item.value  # type: ignore[union-attr]
    assert table(bundle, "alpha/pre-tool-use")["exact"] is False


def test_host_without_matcher_is_filtered_at_run_time() -> None:
    """A hook is kept even if the host has no matcher."""
    bundle = compiled(handler("pre-tool-use", tools=("shell",)), hosts=(executables_host(),))
    (shim,) = bundle.plan.hosts["beta"].scopes["user"]
    assert isinstance(shim, Shim)
    assert [file.path for file in shim.files] == ["PreTool", "PreTool.sh"]
    fire = table(bundle, "beta/pre-tool-use")
    assert (fire["exact"], fire["hooks"][0]["tools"]) == (False, ["run_commands"])


def test_two_native_events_make_two_slots() -> None:
    """The first has the canonical name, further ones name the native event too."""
    bundle = compiled(handler("session-start"), hosts=(executables_host(),))
    assert bundle.plan.hosts["beta"].slots == ("session-start", "session-start.TaskResume")
    assert table(bundle, "beta/session-start.TaskResume")["native"] == "TaskResume"


def test_split_event_is_chosen_by_selector() -> None:
    """If a host splits an event by kind of tool, only the selected kinds get entries."""
    natives = (
        Native(name="beforeShell", tools=("shell",)),
        Native(name="beforeWrite", tools=("file.write",)),
    )
    host = entries_host(events={"pre-tool-use": natives}, matcher=Matcher(style="none"))
    bundle = compiled(handler("pre-tool-use", tools=("file.write",)), hosts=(host,))
    (item,) = bundle.plan.hosts["alpha"].scopes["user"]
    assert isinstance(item, Item)
    assert item.at == ("hooks", "beforeWrite")
    fire = table(bundle, "alpha/pre-tool-use")
    assert (fire["exact"], "tools" in fire["hooks"][0]) == (True, False)


def test_answers_cover_every_legal_outcome() -> None:
    """Each legal outcome has a reply, another outcome, or the reason it is dropped."""
    bundle = compiled(handler("pre-tool-use"), hosts=(entries_host(),))
    answers = table(bundle, "alpha/pre-tool-use")["answers"]
    assert answers["deny"] == {"reply": {"decision": "deny", "event": "PreTool", "why": "$reason"}}
    assert answers["ask"]["as"] == "deny"
    assert set(answers["modify-input"]) == {"drop"}
    assert "keep-going" not in answers


def test_deadline_lies_below_what_the_host_grants() -> None:
    """Our own answer comes before the host gives up, and the cut is reported."""
    stop = Native(name="Stop", timeout_max=3)
    bundle = compiled(
        handler("turn-end", timeout=30), hosts=(entries_host(events={"turn-end": stop}),)
    )
    (item,) = bundle.plan.hosts["alpha"].scopes["user"]
    assert isinstance(item, Item)
    assert item.value["hooks"][0]["timeout"] == 3
    assert table(bundle, "alpha/turn-end")["deadline"] == pytest.approx(2.4)
    assert "cut after 2.4 s of 30 s" in bundle.plan.report[0].reason


@pytest.mark.parametrize(("event", "host"), [(3, 60), (60, 3)], ids=["event", "host"])
def test_the_smaller_of_two_timeout_limits_holds(event: float, host: float) -> None:
    """A host may limit all hooks, and one event more strictly."""
    stop = Native(name="Stop", timeout_max=event)
    run = replace(entries_host().run, maximum=host)
    bundle = compiled(
        handler("turn-end", timeout=30), hosts=(entries_host(events={"turn-end": stop}, run=run),)
    )
    (item,) = bundle.plan.hosts["alpha"].scopes["user"]
    assert isinstance(item, Item)
    assert item.value["hooks"][0]["timeout"] == 3


def test_own_file_is_one_document() -> None:
    """A file of our own contains all events and the keys that the host requires."""
    delivery = Entries(
        files=entries_host().delivery.files,  # type: ignore[union-attr]
        at=("hooks", "$event"),
        entry=GROUPED,
        own=True,
        document={"version": 1},
    )
    bundle = compiled(
        handler("pre-tool-use"), handler("turn-end"), hosts=(entries_host(delivery=delivery),)
    )
    (own,) = bundle.plan.hosts["alpha"].scopes["user"]
    assert isinstance(own, OwnFile)
    assert list(own.value) == ["version", "hooks"]
    assert list(own.value["hooks"]) == ["PreTool", "Stop"]


def test_demanded_keys_are_kept_when_there() -> None:
    """A version key in a shared file is set only if it is missing."""
    delivery = Entries(
        files=entries_host().delivery.files,  # type: ignore[union-attr]
        at=("hooks", "$event"),
        entry=GROUPED,
        document={"version": 1},
    )
    bundle = compiled(handler("turn-end"), hosts=(entries_host(delivery=delivery),))
    key = bundle.plan.hosts["alpha"].scopes["user"][0]
    assert isinstance(key, Key)
    assert (key.at, key.value, key.keep) == (("version",), 1, True)


def test_registered_values_say_whether_they_begin_a_list() -> None:
    """An item of an allow-list is placed only if the user already has the list."""
    file = File(Dir("~/.gamma"), "settings.json")
    extras = (
        Register(file=file, at=("plugins", "$plugin"), value={"on": True}),
        Register(file=file, at=("load",), value="$plugin", op="item"),
        Register(file=file, at=("allow",), value="$plugin", op="item", only_if_present=True),
    )
    module = module_host()
    assert isinstance(module.delivery, Module)
    delivery = replace(module.delivery, register={"user": extras})
    bundle = compiled(handler("pre-tool-use"), hosts=(replace(module, delivery=delivery),))
    _, key, item, listed = bundle.plan.hosts["gamma"].scopes["user"]
    assert isinstance(key, Key)
    assert (key.at, key.value) == (("plugins", "acme"), {"on": True})
    assert isinstance(item, Item)
    assert isinstance(listed, Item)
    assert [item.only_if_present, listed.only_if_present] == [False, True]
    assert Plan.from_bytes(bundle.plan.to_bytes()) == bundle.plan


def test_module_is_rendered_per_scope() -> None:
    """A module's template sees slots in milliseconds and native names, and no version."""
    bundle = compiled(handler("pre-tool-use", tools=("shell",), timeout=10), hosts=(module_host(),))
    (own,) = bundle.plan.hosts["gamma"].scopes["user"]
    assert isinstance(own, OwnFile)
    assert own.artifact == "hosts/gamma/user/acme.js"
    context = json.loads(bundle.files["hosts/gamma/user/acme.js"])
    assert context["slots"]["pre-tool-use"]["tools"] == ["bash"]
    assert context["slots"]["pre-tool-use"]["deadline_ms"] == 10_000
    assert "version" not in context


def test_readers_of_a_hosts_files_are_in_its_table() -> None:
    """The dispatcher can tell a reader from the host itself."""
    bundle = compiled(handler("turn-end"), hosts=(entries_host(), reader_host()))
    assert table(bundle, "alpha/turn-end")["readers"] == {
        "delta": [{"field": ["delta_version"]}, {"env": "DELTA"}]
    }
    assert table(bundle, "delta/turn-end")["readers"] == {}


@pytest.mark.parametrize(
    ("hook", "reason"),
    [
        (handler("pre-compact"), "it has no such event"),
        (handler("turn-end", hosts=("beta",)), "declared for other agents only"),
        (handler("pre-tool-use", tools=("beta:Shell",)), "declared for other agents only"),
        (handler("pre-tool-use", tools=("web",)), "none of the selected tools"),
    ],
    ids=["no event", "other host", "other host's tool", "no such tool"],
)
def test_skipped_events_say_why(hook: Hook, reason: str) -> None:
    """An event that a host lacks is skipped for that host alone, and reported."""
    bundle = compiled(hook, hosts=(entries_host(),))
    assert bundle.plan.hosts == {}
    (cell,) = bundle.plan.report
    assert cell.state == "skipped"
    assert reason in cell.reason


def test_hookless_host_is_reported() -> None:
    """A host without hooks gets nothing and is named."""
    (cell,) = compiled(handler("turn-end"), hosts=(hookless_host(),)).plan.report
    assert cell.reason == "it has no hooks"


def test_native_entries_pass_verbatim() -> None:
    """Native entries are placed as the author wrote them."""
    entry = {"hooks": [{"type": "prompt", "prompt": "hi"}]}
    bundle = compiled(hosts=(entries_host(),), native={"alpha": {"OnlyHere": (entry,)}})
    (item,) = bundle.plan.hosts["alpha"].scopes["user"]
    assert isinstance(item, Item)
    assert (item.at, item.value) == (("hooks", "OnlyHere"), entry)


def test_order_of_adapters_does_not_matter() -> None:
    """The same input gives the same bytes."""
    hosts = (entries_host(), executables_host(), module_host(), reader_host(), hookless_host())
    hooks = (handler("pre-tool-use", tools=("shell",)), command("turn-end"))
    assert compiled(*hooks, hosts=hosts).files == compiled(*hooks, hosts=hosts[::-1]).files


def test_plan_survives_its_own_format() -> None:
    """A compiled plan is read back equal."""
    hosts = (entries_host(), executables_host(), module_host())
    bundle = compiled(handler("pre-tool-use", tools=("shell",)), command("turn-end"), hosts=hosts)
    assert Plan.from_bytes(bundle.files["plan.json"]) == bundle.plan


@pytest.mark.parametrize(
    ("style", "names", "expected"),
    [
        ("none", ("Bash",), None),
        ("exact-list", ("Bash", "Write"), ("Bash|Write",)),
        ("exact-list", ("Bash", "mcp__*"), ("^(Bash|mcp__.*)$",)),
        ("regex", ("a.b",), (r"^(a\.b)$",)),
        ("regex-whole", ("bash", "mcp_*"), ("bash|mcp_.*",)),
        ("glob", ("bash", "mcp_*"), ("bash", "mcp_*")),
        ("re-glob", ("bash",), ("bash",)),
        ("re-glob", ("bash", "grep"), ("re:bash|grep",)),
    ],
)
def test_matcher_dialects(style: Any, names: tuple[str, ...], expected: Any) -> None:
    """Each dialect's matcher matches exactly these names."""
    assert matchers(Matcher(style=style), names) == expected


def test_evidence_is_not_in_the_plan() -> None:
    """The plan contains only what activating and firing need."""
    plan = compiled(handler("turn-end"), hosts=(entries_host(),)).files["plan.json"].decode()
    assert EVIDENCE.date not in plan
