"""The dispatcher: reads the payload, runs one plugin's hooks for the event, and prints one reply.

The slot script starts it as ``main(bundle, state, host, slot)``. It always ends with ``_exit``. The
status is 0 unless the host expects its answer as an exit status.
"""

from __future__ import annotations

import sys
from time import monotonic

from hatch_agentplugin.fire import incoming
from hatch_agentplugin.fire.answer import InvalidResult, Outcomes, degrade, render
from hatch_agentplugin.fire.incoming import environment
from hatch_agentplugin.fire.process import (
    Deadline,
    Expired,
    Streams,
    exists,
    make_folder,
    system,
    touch,
)
from hatch_agentplugin.fire.text import Unreadable, like, parse, to_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from hatch_agentplugin.fire.answer import Reply
    from hatch_agentplugin.fire.api import Event

#: Environment variable that names a file for the records of all calls.
TRACE = "AGENT_PLUGIN_TRACE"
#: Seconds to wait for the payload.
PAYLOAD_TIMEOUT = 5.0
#: Seconds to wait if the host may leave the pipe open.
PAYLOAD_TIMEOUT_OPEN = 2.0


def main(bundle: str, state: str, host: str, slot: str) -> NoReturn:
    """Answer one hook call and end the process."""
    try:
        streams = Streams()
    except OSError:
        system._exit(0)
    try:
        call = Call(streams, bundle, state, host, slot)
        call.run()
    except BaseException as error:
        from hatch_agentplugin.fire import log

        Deadline.stop()
        log.write(state, host, slot, "-", "internal", log.describe(error))
    streams.leave()


class Call:
    """One hook call."""

    def __init__(self, streams: Streams, bundle: str, state: str, host: str, slot: str) -> None:
        self.streams = streams
        self.bundle = bundle
        self.state = state
        self.began = monotonic()
        self.outcomes = Outcomes()
        self.notes: list[dict[str, str]] = []
        self.ran: list[dict[str, Any]] = []
        self.failed = False
        self.exact = True
        self.deadline = 0.0
        self.table = self._load(host, slot)
        self.hooks: list[dict[str, Any]] = []
        self.payload: dict[str, Any] = {}
        self.tool: str | None = None
        self.unreadable = ""

    def _load(self, host: str, slot: str) -> dict[str, Any]:
        with open(f"{self.bundle}/fire/{host}/{slot}.json", "rb") as file:
            table: dict[str, Any] = parse(file.read().decode("utf-8"))
        self.exact = bool(table.get("exact"))
        self.deadline = self.began + float(table["deadline"])
        return table

    def run(self) -> NoReturn:
        """Read the payload, choose the hooks, run them in order, and answer."""
        self._read()
        if self._is_for_another_entry() or not incoming.fires(self.payload, self.table):
            self.streams.leave()
        table = self.table
        if table.get("detached") and system.__name__ == "posix" and not self.streams.detach():
            self.streams.leave()
        event = incoming.event_of(self.payload, table, self.bundle, f"{self.state}/data")
        self.tool = event.tool
        make_folder(event.data)
        self.hooks = [hook for hook in table["hooks"] if self._wants(hook, event)]
        while self.hooks:
            hook = self.hooks[0]
            if "command" in hook:
                self._command(hook)
            else:
                self._handler(hook, event)
            del self.hooks[0]
        self.finish()

    # --- reading ---

    def _read(self) -> None:
        wait = PAYLOAD_TIMEOUT_OPEN if self.table.get("stdin_may_stay_open") else PAYLOAD_TIMEOUT
        wait = min(wait, self.table["deadline"] / 2)
        variables = self.table.get("environment")
        try:
            if variables:
                self.payload = incoming.from_environment(variables)
            else:
                self.payload = incoming.read(self.began + wait)
        except Unreadable as error:
            self.unreadable = str(error)
            self._log("-", "payload", self.unreadable)
        self.streams.close_input()

    def _is_for_another_entry(self) -> bool:
        """Find the host that fired, because other hosts may also read this host's entries.

        Return True if that host has an entry of its own, or if nothing is declared for it.
        """
        readers = self.table.get("readers") or {}
        for reader, signatures in readers.items():
            if incoming.is_from(self.payload, signatures):
                if self._has_own_entry(reader):
                    return True
                try:
                    self.table = self._load(reader, self.table["event"])
                except OSError:  # nothing is declared for that host
                    return True
                self.exact = False  # the entry's matcher is for the host it was written for
                break
        if readers or sys.platform == "win32":  # otherwise the slot script has done it
            touch(f"{self.state}/fired/{self.table['host']}.{self.table['event']}")
        return False

    def _has_own_entry(self, host: str) -> bool:
        """Return True if the plugin has an entry of its own in a host."""
        try:
            with open(f"{self.state}/placed", "rb") as file:
                words = file.read(65536).split()
        except OSError:
            return False
        return any(f"{host}.{scope}".encode() in words for scope in ("user", "project"))

    # --- hooks ---

    def _wants(self, hook: dict[str, Any], event: Event) -> bool:
        """Return True if the hook runs for this event.

        If that is unknown, a hook with ``on_error = "deny"`` counts as failed.
        """
        if self.unreadable and self.table["tool_event"]:
            if hook.get("on_error") == "deny":
                self._fail(hook, "payload", self.unreadable)
            return False
        tools = None if self.exact else hook.get("tools")
        if tools is not None and not any(like(event.tool or "", name) for name in tools):
            if event.tool is None and hook.get("on_error") == "deny":
                self._fail(hook, "payload", "the payload names no tool")
            return False
        when = hook.get("when")
        return not when or any(exists(f"{folder}/{when}") for folder in self._projects(event))

    def _projects(self, event: Event) -> list[str]:
        named = [environment(name) for name in self.table.get("project_env") or ()]
        return [folder for folder in (*named, ".", event.cwd) if folder]

    def _left(self) -> float:
        return self.deadline - monotonic()

    def _command(self, hook: dict[str, Any]) -> None:
        from hatch_agentplugin.fire import commands

        names = {
            "PLUGIN_ROOT": self.bundle,
            "PLUGIN_DATA": f"{self.state}/data",
            "AGENT_PLUGIN_HOST": self.table["host"],
            "AGENT_PLUGIN_EVENT": self.table["event"],
        }
        output: list[bytes] | None = [] if hook.get("result") == "context" else None
        how = commands.run(hook, names, min(hook["timeout"], self._left()), output)
        text = b"".join(output or ()).decode("utf-8", "ignore").strip()
        did = self.outcomes.add({"context": text}, self.table) if text and how == "ran" else []
        self.ran.append({"key": hook["key"], "did": [how, *did]})

    def _handler(self, hook: dict[str, Any], event: Event) -> None:
        seconds = min(hook["timeout"], self._left())
        if seconds <= 0:
            self._fail(hook, "timeout", "no time left")
            return
        try:
            try:
                Deadline.start(seconds, self._hung, Expired)
                handler = self._find(hook["handler"])
                result = handler(event)
                # Also under the deadline: a subclass of dict can run code of its own.
                did = self.outcomes.add(result, self.table)
            finally:
                Deadline.stop()
        except Expired:
            self._fail(hook, "timeout", f"after {seconds:g} s")
        except InvalidResult as error:
            self._fail(hook, error.kind, str(error))
        except BaseException as error:
            self._raised(hook, error)
        else:
            values = self.outcomes.values
            event.input = values.get("modify-input", event.input)
            event.output = values.get("modify-output", event.output)
            self.ran.append({"key": hook["key"], "did": did})

    def _find(self, reference: str) -> Callable[[Event], Any]:
        """Import the handler. If that fails, read the .pth files, which ``-S`` has skipped.

        Editable installs are found through these.
        """
        module, _, name = reference.partition(":")
        try:
            __import__(module)
        except ImportError:
            import site

            site.main()
            for folder in (_parent(self.bundle), _parent(_parent(_parent(__file__)))):
                site.addsitedir(folder)
            __import__(module)
        found: Any = sys.modules[module]
        for part in name.split("."):
            found = getattr(found, part)
        return found  # type: ignore[no-any-return]

    # --- failures ---

    def _raised(self, hook: dict[str, Any], error: BaseException) -> None:
        from hatch_agentplugin.fire import log

        kind = "exited" if isinstance(error, (SystemExit, KeyboardInterrupt)) else "raised"
        if isinstance(error, ImportError):
            kind = "import"
        self._fail(hook, kind, log.describe(error))
        if environment(TRACE):
            from hatch_agentplugin.fire import trace

            self.ran[-1]["traceback"] = trace.of(error)

    def _fail(self, hook: dict[str, Any], kind: str, what: str) -> None:
        """Log that a hook has failed, and deny if its ``on_error`` says so."""
        self._log(hook["key"], kind, what)
        self.ran.append({"key": hook["key"], "did": [], "failed": kind, "what": what})
        if hook.get("on_error") == "deny" and "deny" in self.table["answers"]:
            plugin = self.table["plugin"]
            self.outcomes.deny(
                f"{plugin}: {hook['key']} failed ({kind}), which counts as a refusal"
            )

    def _log(self, key: str, kind: str, what: str) -> None:
        from hatch_agentplugin.fire import log

        log.write(self.state, self.table["host"], self.table["event"], key, kind, what)

    def _hung(self) -> NoReturn:
        """Answer and exit without a handler that has not stopped after :class:`Expired`."""
        for n, hook in enumerate(self.hooks):
            if "handler" in hook:
                self._fail(
                    hook, "not run" if n else "hung", "a handler did not stop at its deadline"
                )
        self.finish()

    # --- the answer ---

    def finish(self) -> NoReturn:
        """Write the reply and end the process."""
        table = self.table
        outcomes = degrade(self.outcomes.merged(), table, self.notes, self.tool)
        if table.get("turn_limit") is not None and "keep-going" in table["answers"]:
            from hatch_agentplugin.fire import turn_limit

            if why := turn_limit.enforce(outcomes, table, self.payload, self.state):
                self.notes.append({"outcome": "keep-going", "as": "", "why": why})
                self._log("-", "turn limit", why)
        if table.get("detached"):
            why = "the host does not wait for the answer"
            self.notes += [{"outcome": name, "as": "", "why": why} for name in outcomes]
            outcomes = {}
        reply = render(outcomes, table, self.tool)
        if path := environment(TRACE):
            from hatch_agentplugin.fire import trace

            trace.write(path, self._record(outcomes, reply))
        self.streams.leave(to_bytes(reply.out), reply.status, to_bytes(reply.error))

    def _record(self, outcomes: dict[str, Any], reply: Reply) -> dict[str, Any]:
        """Return the record of this call for `trace`."""
        table = self.table
        return {
            "plugin": table["plugin"],
            "host": table["host"],
            "event": table["event"],
            "native": table["native"],
            "payload": self.unreadable or "read",
            "hooks": self.ran,
            "said": self.outcomes.merged(),
            "outcome": outcomes,
            "degraded": self.notes,
            "reply": reply.out,
            "status": reply.status,
        }


def _parent(path: str) -> str:
    slash = max(path.rfind("/"), path.rfind("\\") if sys.platform == "win32" else -1)
    return path[:slash] or path
