"""A model server that answers from a script and records the requests.

In a test: `with Model(Script.of(Call("Bash", {"command": "true"}))) as model: model.url`.
As a program, if the host runs in a network namespace of its own:
`python -m tests.hosts.model --script FILE --log FILE [--port N] [--port-file FILE]`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType

from tests.hosts.script import TOKENS, Call, Script, Step, strings
from tests.hosts.wire import WIRES, Body, Reply

__all__ = ["Call", "Log", "Model", "Request", "Script", "Step"]

Service = Callable[[str, Body], Reply | None]
"""A stand-in for a host's own service, asked before the model: path and body to a reply."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request to the server."""

    method: str
    path: str
    body: Body
    results: tuple[str, ...] = ()
    """Texts of the tool results in it, in order of the conversation."""
    offered: tuple[str, ...] = ()
    """Names of the tools the model could call."""
    is_model: bool = False
    """Whether the path is a model's, not a service's or an unknown one."""


class Log:
    """The requests, in order. `"reason" in log` searches all texts."""

    def __init__(self, requests: Iterable[Request] = ()) -> None:
        self.requests = list(requests)

    def __iter__(self) -> Iterator[Request]:
        return iter(self.requests)

    def __len__(self) -> int:
        return len(self.requests)

    def __contains__(self, text: str) -> bool:
        return any(text in seen for seen in self.texts())

    def model(self) -> list[Request]:
        """Only the requests to the model."""
        return [request for request in self.requests if request.is_model]

    def texts(self) -> list[str]:
        """Every text that reached the model: prompts, system texts, tool results."""
        return [text for request in self.model() for text in strings(request.body)]

    def results(self) -> list[str]:
        """Tool results as the model saw them at the end of the longest conversation."""
        longest: tuple[str, ...] = ()
        for request in self.requests:
            if len(request.results) > len(longest):
                longest = request.results
        return list(longest)

    @classmethod
    def read(cls, file: Path) -> Log:
        """Read the JSON lines that a server in another process wrote."""
        return cls(_request(json.loads(line)) for line in file.read_text("utf-8").splitlines())


def _request(line: Body) -> Request:
    tuples = {key: tuple(line[key]) for key in ("results", "offered")}
    return Request(**{**line, **tuples})


class Model:
    """The server, as a context manager. It listens on loopback only."""

    def __init__(
        self,
        script: Script,
        port: int = 0,
        service: Service | None = None,
        log_file: Path | None = None,
    ) -> None:
        self.script = script
        self.service = service
        self.log_file = log_file
        self.log = Log()
        self._heavy: list[Step] = []
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", port), _handler(self))

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Model:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, method: str, path: str, body: Body) -> Reply:
        """Return the reply to one request, and record the request."""
        bare = path.partition("?")[0]
        if self.service and (served := self.service(bare, body)):
            self._record(Request(method, path, body))
            return served
        wire = next((w for w in WIRES if method == "POST" and w.matches(bare)), None)
        if wire is None:
            self._record(Request(method, path, body))
            return _other(method, bare)
        results, offered = wire.results(body), wire.offered(body)
        self._record(Request(method, path, body, tuple(results), tuple(offered), is_model=True))
        time.sleep(self.script.pace)
        step = self._once(self.script.answer(offered, len(results), wire.asked(body)))
        if step.status != 200:
            error = {"type": "invalid_request_error", "message": "scripted error"}
            return Reply(json.dumps({"error": error}).encode(), status=step.status)
        return wire.reply(step, body, bare, len(results))

    def _once(self, step: Step) -> Step:
        """Return the step, with many tokens only once: a compacted conversation starts over."""
        if step.tokens == TOKENS:
            return step
        with self._lock:
            if step not in self._heavy:
                self._heavy.append(step)
                return step
        return replace(step, tokens=TOKENS)

    def _record(self, request: Request) -> None:
        with self._lock:
            self.log.requests.append(request)
            if self.log_file:  # at once: who waits for the end loses all when it is killed
                with self.log_file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(request)) + "\n")


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a host that closes the connection early; stderr belongs to the host."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            traceback.print_exc()


def _other(method: str, path: str) -> Reply:
    if method == "HEAD" or path == "/":
        return Reply(b"{}")
    if path.endswith("/models"):
        model = {"id": "mock", "object": "model", "created": 1, "owned_by": "mock"}
        return Reply(json.dumps({"object": "list", "data": [model]}).encode())
    return Reply(b'{"error": {"message": "not served here"}}', status=404)


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            reply = model.answer(self.command, self.path, self._json())
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.content_type)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(reply.body)

        do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = _serve  # noqa: N815

        def _json(self) -> Body:
            try:
                data = json.loads(self._bytes() or b"{}")
            except ValueError:  # telemetry is often no JSON; its path is enough
                return {}
            return data if isinstance(data, dict) else {"": data}

        def _bytes(self) -> bytes:
            if "chunked" in self.headers.get("Transfer-Encoding", ""):
                data = b"".join(iter(self._chunk, b""))
            else:
                data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data

        def _chunk(self) -> bytes:
            size = int(self.rfile.readline().split(b";")[0], 16)
            data = self.rfile.read(size)
            self.rfile.readline()
            return data

        def log_message(self, format: str, *args: object) -> None:
            pass  # the log is `model.log`; a test's stderr stays its own

    return Handler


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser(description="A scripted model server on loopback.")
    parser.add_argument("--script", type=Path, required=True, help="JSON of Script.dumps()")
    parser.add_argument("--log", type=Path, required=True, help="requests, as JSON lines")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--port-file", type=Path, help="written as soon as the port is open")
    options = parser.parse_args()
    options.log.touch()
    script = Script.loads(options.script.read_text("utf-8"))
    with Model(script, options.port, log_file=options.log) as model:
        if options.port_file:
            options.port_file.write_text(str(model.port))
        threading.Event().wait()


if __name__ == "__main__":
    main()
