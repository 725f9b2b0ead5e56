"""The launcher as a batch file, whether it is on this machine or in a host package.

It starts the dispatcher for every slot; the dispatcher also runs portable commands.
"""

from __future__ import annotations

from hatch_agentplugin.scripts.slot import BOOTSTRAP

_TEMPLATE = """\
@echo off
rem Launcher of the plugin {plugin}, {by}.
rem Agents start it as: launch HOST SLOT [--project]
setlocal DisableDelayedExpansion
{variables}if not exist "%AP_BUNDLE%\\fire\\%~1\\%~2.json" exit /b 0
if not exist "%AP_PYTHON%" exit /b 0
for /f "tokens=1 delims=." %%e in ("%~2") do set "AP_EVENT=%%e"
{checks}if defined AGENT_PLUGIN_FIRING (
  for %%p in ("%AGENT_PLUGIN_FIRING::=" "%") do if "%%~p"=="{plugin}" exit /b 0
  set "AGENT_PLUGIN_FIRING=%AGENT_PLUGIN_FIRING%:{plugin}"
) else set "AGENT_PLUGIN_FIRING={plugin}"
"%AP_PYTHON%" {flags} -c "{bootstrap}" "%AP_RUNTIME%" "%AP_BUNDLE%\\.." \
"%AP_BUNDLE%" "%AP_STATE%" "%~1" "%~2"
rem An interpreter that does not start exits with a negative status or with 100 and more.
if %errorlevel% geq 100 exit /b 0
if %errorlevel% lss 0 exit /b 0
{after}exit /b %errorlevel%
"""
_OWN_STATE = """\
if defined AGENT_PLUGIN_HOME (set "AP_STATE=%AGENT_PLUGIN_HOME%\\{plugin}") else \
set "AP_STATE=%USERPROFILE%\\.agent-plugin\\{plugin}"
if not exist "%AP_STATE%\\fired" mkdir "%AP_STATE%\\fired" 2>nul
"""
#: Exits if the user has switched the plugin or the event off.
SWITCHES = """\
if exist "%AP_STATE%\\disabled\\all" exit /b 0
if exist "%AP_STATE%\\disabled\\%AP_EVENT%" exit /b 0
"""
#: The file that lists where the user has the plugin.
PLACED = "%AP_STATE%\\placed"
_STAND_DOWN = """\
{test}if exist "{placed}" (
  for /f "usebackq delims=" %%l in ("{placed}") do for %%w in (%%l) do if "%%w"=="%~1.{scope}" exit /b 0
)
"""


def script(plugin: str, by: str, variables: str, checks: str, flags: str, after: str = "") -> str:
    """Return the batch file, with CRLF line ends.

    ``by``, ``variables`` and ``checks`` are those of :func:`hatch_agentplugin.scripts.posix_launcher.script`.
    ``flags`` are the interpreter's. ``after`` are lines that run when the interpreter has ended, and
    may exit with another status.
    """
    return _TEMPLATE.format(
        plugin=plugin,
        by=by,
        variables=variables,
        checks=checks,
        flags=flags,
        after=after,
        bootstrap=f"exec({BOOTSTRAP!r})",
    ).replace("\n", "\r\n")


def own_state(plugin: str) -> str:
    """Return lines that set AP_STATE to the folder of the user who runs the script."""
    return _OWN_STATE.format(plugin=plugin)


def stand_down(placed: str, scope: str, test: str = "") -> str:
    """Return lines that exit if the host has an entry in a scope, by the file ``placed``.

    ``test`` is an ``if`` that comes first, such as ``if "%~3"=="--project" ``.
    """
    return _STAND_DOWN.format(placed=placed, scope=scope, test=test)


def escape(path: str) -> str:
    """Return a path as it is written in a batch file."""
    return path.replace("%", "%%")
