"""The launcher of a plugin on this machine: the program that every host entry starts.

It holds the paths of this machine, so that host entries never change.
"""

from __future__ import annotations

from shlex import quote

from hatch_agentplugin.scripts import posix_launcher, windows_launcher

_BY = "written by `agent-plugin activate`"
_CODE_PAGE = """\
for /f "tokens=2 delims=:." %%c in ('chcp') do set "AP_PAGE=%%c"
chcp 65001 >nul
"""
_RESTORE_CODE_PAGE = "chcp %AP_PAGE% >nul\n"


def render(
    *, plugin: str, state: str | None, bundle: str, python: str, runtime: str, managed: str = ""
) -> str:
    """Return the launcher for a POSIX shell. Paths may hold any character but NUL.

    Without ``state`` it is a managed launcher: each user has their own state, and nobody can switch
    it off. ``managed`` is the folder of the plugin's managed launcher, which goes first.
    """
    paths = {"BUNDLE": bundle, "PYTHON": python, "RUNTIME": runtime}
    own = posix_launcher.own_state(plugin) if state is None else f"AP_STATE={quote(state)}"
    variables = [own, *(f"AP_{name}={quote(path)}" for name, path in paths.items())]
    checks = ""
    if state is not None:
        checks = posix_launcher.SWITCHES + posix_launcher.stand_down(
            posix_launcher.PLACED, "user", '[ "$3" = --project ]'
        )
    if managed:
        checks += posix_launcher.stand_down(quote(f"{managed}/placed"), "managed")
    return posix_launcher.script(plugin, _BY, "\n".join(variables), checks)


def render_windows(
    *, plugin: str, state: str | None, bundle: str, python: str, runtime: str, managed: str = ""
) -> str:
    """Return the launcher for Windows; the arguments are those of :func:`render`.

    The file must be written in UTF-8. Windows reads it in the console's code page, so it switches to
    UTF-8 around paths that are not ASCII.
    """
    paths = {"BUNDLE": bundle, "PYTHON": python, "RUNTIME": runtime}
    own = windows_launcher.own_state(plugin)
    if state is not None:
        own = f'set "AP_STATE={windows_launcher.escape(state)}"\n'
    lines = [f'set "AP_{name}={windows_launcher.escape(path)}"\n' for name, path in paths.items()]
    variables = own + "".join(lines)
    if not all(path.isascii() for path in (*paths.values(), state or "", managed)):
        variables = _CODE_PAGE + variables + _RESTORE_CODE_PAGE
    checks = ""
    if state is not None:
        in_project = 'if "%~3"=="--project" '
        checks = windows_launcher.SWITCHES + windows_launcher.stand_down(
            windows_launcher.PLACED, "user", in_project
        )
    if managed:
        checks += windows_launcher.stand_down(
            f"{windows_launcher.escape(managed)}\\placed", "managed"
        )
    return windows_launcher.script(plugin, _BY, variables, checks, "-I -S -X utf8")
