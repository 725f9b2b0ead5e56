"""The launcher: the program of a plugin that every host entry starts.

It holds the paths of this machine, so that host entries never change.
"""

from __future__ import annotations

from shlex import quote

from hatch_agentplugin.scripts.slot import BOOTSTRAP

#: The launcher for a POSIX shell. ``places`` sets AP_STATE, AP_BUNDLE, AP_PYTHON and AP_RUNTIME;
#: ``checks`` may end it.
POSIX = """\
#!/bin/sh
# Launcher of the plugin {plugin}, {by}.
# Agents start it as: launch HOST SLOT [--project]
# Whatever is missing, it exits with status 0 and without output, so it never blocks an agent.
trap 'exit 0' 0
[ "$BASH_VERSION" ] && shopt -s execfail 2>/dev/null
AP_HOST=$1 AP_SLOT=$2 AP_EVENT=${{2%%.*}}
{places}
case $1/$2 in */*/*) exit 0;; esac
[ -f "$AP_BUNDLE/fire/$1/$2.sh" ] || exit 0
{checks}case :$AGENT_PLUGIN_FIRING in *:{plugin}@*)
  AP_P=:$AGENT_PLUGIN_FIRING; AP_P=${{AP_P##*:{plugin}@}}
  kill -0 "${{AP_P%%:*}}" 2>/dev/null && exit 0;;
esac
AGENT_PLUGIN_FIRING=${{AGENT_PLUGIN_FIRING:+$AGENT_PLUGIN_FIRING:}}{plugin}@$$
export AGENT_PLUGIN_FIRING
. "$AP_BUNDLE/fire/$1/$2.sh"
exit 0
"""

#: Ends the launcher if the user has switched the event off, and for a project's entry if the user
#: has an entry of their own.
CHECKS = """\
[ -e "$AP_STATE/disabled/all" ] && exit 0
[ -e "$AP_STATE/disabled/$AP_EVENT" ] && exit 0
[ "$3" = --project ] && {
  AP_ON=; { read -r AP_ON; } 2>/dev/null <"$AP_STATE/placed"
  case " $AP_ON " in *" $1.user "*) exit 0;; esac
}
"""
#: Ends the launcher if an administrator has placed the plugin for all users.
FOR_ALL_GOES_FIRST = """\
[ -e {placed} ] && {{
  AP_ON=; {{ read -r AP_ON; }} 2>/dev/null <{placed}
  case " $AP_ON " in *" $1.managed "*) exit 0;; esac
}}
"""

#: Sets AP_STATE to the folder of the user who runs the launcher; never a relative path.
OWN_STATE = """\
case $AGENT_PLUGIN_HOME in
  /*) AP_STATE=$AGENT_PLUGIN_HOME/{plugin};;
  "~/"*) AP_STATE=$HOME/${{AGENT_PLUGIN_HOME#??}}/{plugin};;
  *) AP_STATE=$HOME/.agent-plugin/{plugin};;
esac
[ -d "$AP_STATE/fired" ] || [ -z "$HOME" ] ||
  (umask 077; mkdir -p "$AP_STATE/fired") 2>/dev/null"""

#: The launcher for Windows. ``flags`` are the interpreter's, ``after`` runs when it has ended.
_WINDOWS = """\
@echo off
rem Launcher of the plugin {plugin}, {by}.
rem Agents start it as: launch HOST SLOT [--project]
setlocal DisableDelayedExpansion
{places}if not exist "%AP_BUNDLE%\\fire\\%~1\\%~2.json" exit /b 0
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

WINDOWS_SWITCHES = """\
if exist "%AP_STATE%\\disabled\\all" exit /b 0
if exist "%AP_STATE%\\disabled\\%AP_EVENT%" exit /b 0
"""
WINDOWS_USER_GOES_FIRST = """\
if exist "%AP_STATE%\\placed" (
  for /f "usebackq delims=" %%l in ("%AP_STATE%\\placed") do for %%w in (%%l) do if "%%w"=="%~1.user" exit /b 0
)
"""
WINDOWS_FOR_ALL_GOES_FIRST = """\
if exist "{placed}" (
  for /f "usebackq delims=" %%l in ("{placed}") do for %%w in (%%l) do if "%%w"=="%~1.managed" exit /b 0
)
"""
WINDOWS_OWN_STATE = """\
if defined AGENT_PLUGIN_HOME (set "AP_STATE=%AGENT_PLUGIN_HOME%\\{plugin}") else \
set "AP_STATE=%USERPROFILE%\\.agent-plugin\\{plugin}"
if not exist "%AP_STATE%\\fired" mkdir "%AP_STATE%\\fired" 2>nul"""

_WINDOWS_PLACES = """\
{code_page}{state}
set "AP_BUNDLE={bundle}"
set "AP_PYTHON={python}"
set "AP_RUNTIME={runtime}"
{restore}"""
_CODE_PAGE = """\
for /f "tokens=2 delims=:." %%c in ('chcp') do set "AP_PAGE=%%c"
chcp 65001 >nul
"""
_RESTORE = "chcp %AP_PAGE% >nul\n"
_BY = "written by `agent-plugin activate`"


def render(
    *, plugin: str, state: str | None, bundle: str, python: str, runtime: str, everybodys: str = ""
) -> str:
    """Return the launcher for a POSIX shell. Paths may hold any character but NUL.

    Without ``state`` it is a managed launcher: each user has their own state, and nobody can switch
    it off. ``everybodys`` is the folder of the plugin's managed launcher, which goes first.
    """
    checks = "" if state is None else CHECKS
    if everybodys:
        checks += FOR_ALL_GOES_FIRST.format(placed=quote(f"{everybodys}/placed"))
    own = OWN_STATE.format(plugin=plugin) if state is None else f"AP_STATE={quote(state)}"
    places = {"BUNDLE": bundle, "PYTHON": python, "RUNTIME": runtime}
    lines = [own, *(f"AP_{name}={quote(path)}" for name, path in places.items())]
    return POSIX.format(plugin=plugin, by=_BY, places="\n".join(lines), checks=checks)


def render_windows(
    *, plugin: str, state: str | None, bundle: str, python: str, runtime: str, everybodys: str = ""
) -> str:
    """Return ``launch.cmd``: the same checks, then the dispatcher, which also runs commands.

    The file has CRLF line ends and must be written in UTF-8. Windows reads it in the console's code
    page, so it switches to UTF-8 around paths that are not ASCII.
    """
    paths = {"bundle": bundle, "python": python, "runtime": runtime}
    plain = all(path.isascii() for path in (*paths.values(), state or "", everybodys))
    checks = ""
    if state is not None:
        checks = f'{WINDOWS_SWITCHES}if "%~3"=="--project" {WINDOWS_USER_GOES_FIRST}'
    if everybodys:
        checks += WINDOWS_FOR_ALL_GOES_FIRST.format(
            placed=everybodys.replace("%", "%%") + "\\placed"
        )
    if state is None:
        own = WINDOWS_OWN_STATE.format(plugin=plugin)
    else:
        own = 'set "AP_STATE={}"'.format(state.replace("%", "%%"))
    places = _WINDOWS_PLACES.format(
        code_page="" if plain else _CODE_PAGE,
        restore="" if plain else _RESTORE,
        state=own,
        **{name: path.replace("%", "%%") for name, path in paths.items()},
    )
    return batch(plugin, _BY, places, checks, "-I -S -X utf8")


def batch(plugin: str, by: str, places: str, checks: str, flags: str, after: str = "") -> str:
    """Return a launcher for Windows; the parts are those of :data:`POSIX`.

    ``after`` runs when the interpreter has ended, and may exit with another status.
    """
    return _WINDOWS.format(
        plugin=plugin,
        by=by,
        places=places,
        checks=checks,
        flags=flags,
        after=after,
        bootstrap=f"exec({BOOTSTRAP!r})",
    ).replace("\n", "\r\n")
