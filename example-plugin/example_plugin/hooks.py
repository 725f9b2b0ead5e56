"""The handlers. Each gets an event and returns an outcome, or None if it has no opinion."""

from __future__ import annotations

from example_plugin.files import is_secret, written_files
from example_plugin.shell import deleted_everything, redirected_files
from hatch_agentplugin import Event, Outcome, context, deny

GREETING = (
    "The plugin example-plugin guards this session: deleting / or the home folder is refused, "
    "and so is writing .env files. If that is really needed, ask the user to do it."
)


def greet(event: Event) -> Outcome:
    """Tell the model what is guarded."""
    return context(GREETING)


def guard_shell(event: Event) -> Outcome | None:
    """Refuse to delete / or the home folder, and to write .env files through the shell."""
    target = deleted_everything(event.input)
    if target is not None:
        return deny(f"example-plugin refuses to delete {target} recursively.")
    return _refuse_secrets([*redirected_files(event.input), *written_files(event.input)])


def guard_files(event: Event) -> Outcome | None:
    """Refuse to write .env files, named by a path or in a patch."""
    return _refuse_secrets(written_files(event.input))


def _refuse_secrets(paths: list[str]) -> Outcome | None:
    secret = next(filter(is_secret, paths), None)
    if secret is None:
        return None
    return deny(f"example-plugin refuses to write {secret}: it holds secrets. Ask the user.")
