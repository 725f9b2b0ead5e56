"""The launchers inside a package. They contain no path of any machine.

If the user or an administrator has activated the plugin for the host, the package does nothing.
"""

from __future__ import annotations

from hatch_agentplugin.activate.locate import SYSTEM_FOLDERS
from hatch_agentplugin.scripts import posix_launcher, windows_launcher
from hatch_agentplugin.scripts.slot import HAS_PYTHON

_BY = "part of its package"

#: Some agents on Windows run hooks in Git Bash, which has no setsid and finds no python3.
_VARIABLES = """\
case ${{OSTYPE-}} in msys*|cygwin*) exec "${{0%/*}}/launch.cmd" "$@";; esac
{own_state}
AP_HERE=$(CDPATH= cd -- "${{0%/*}}" 2>/dev/null && pwd -P) || exit 0
AP_BUNDLE=$AP_HERE/lib/{bundle}
"""
_PYTHON = """\
AP_PYTHON=$(command -v python3)
AP_RUNTIME=$AP_HERE/lib"""

#: AP_KNOWN has two lines: the interpreter of the environment that uvx has made, and its packages.
_UVX = """\
AP_KNOWN=$AP_STATE/uvx-{version}
AP_PYTHON= AP_RUNTIME=
[ -r "$AP_KNOWN" ] && { read -r AP_PYTHON; read -r AP_RUNTIME; } <"$AP_KNOWN"
[ -d "$AP_RUNTIME/hatch_agentplugin" ] || AP_PYTHON="""

#: Runs if a slot script needs the interpreter and has none. uvx answers at once from its cache; a
#: download may take eight seconds of the agent's time and then goes on in the background. An agent
#: that a desktop has started lacks the PATH of a shell, so the folders are named into which uv's
#: installer, cargo and Homebrew put uvx.
ASK_UVX = """\
# Part of the launcher: asks uvx for the interpreter of {requirement}.
AP_PYTHON=
[ "$(find "$AP_KNOWN.asked" -mmin -2 2>/dev/null)" ] && return 0
AP_UVX=
for AP_N in "$(command -v uvx)" "$HOME/.local/bin/uvx" "$HOME/.cargo/bin/uvx" \\
  /opt/homebrew/bin/uvx /usr/local/bin/uvx; do
  [ -x "$AP_N" ] && AP_UVX=$AP_N && break
done
[ "$AP_UVX" ] || return 0
{ rm -f "$AP_KNOWN" && true >"$AP_KNOWN.asked"; } 2>/dev/null || return 0
AP_ASK='ask() {
  "$AP_UVX" -q "$@" --from {requirement} python -I -c "
import sys, sysconfig
print(sys.executable)
print(sysconfig.get_path(\\"purelib\\"))" >"$AP_KNOWN.new"
}
{ ask --offline || ask; } && mv -f "$AP_KNOWN.new" "$AP_KNOWN"'
export AP_UVX AP_KNOWN
if command -v setsid >/dev/null 2>&1; then setsid sh -c "$AP_ASK" </dev/null >/dev/null 2>&1 &
else sh -c "$AP_ASK" </dev/null >/dev/null 2>&1 &
fi
AP_N=0
while [ $AP_N -lt 40 ] && [ ! -e "$AP_KNOWN" ] && kill -0 $! 2>/dev/null; do
  sleep 0.2 2>/dev/null || { sleep 1; AP_N=$((AP_N + 4)); }
  AP_N=$((AP_N + 1))
done
[ -r "$AP_KNOWN" ] && { read -r AP_PYTHON; read -r AP_RUNTIME; } <"$AP_KNOWN"
[ -d "$AP_RUNTIME/hatch_agentplugin" ] || AP_PYTHON=
"""

_WINDOWS_VARIABLES = """\
{own_state}set "AP_BUNDLE=%~dp0lib\\{bundle}"
set "AP_RUNTIME=%~dp0lib"
set "AP_PYTHON="
for %%p in ({program}.exe) do set "AP_PYTHON=%%~$PATH:p"
if not defined AP_PYTHON exit /b 0
"""
#: Without a network, for example, uvx exits 1 or 2, and many agents treat 2 as a refusal.
#: A second start shows whether uvx itself has failed.
_AFTER_UVX = """\
if %errorlevel% equ 0 exit /b 0
set "AP_STATUS=%errorlevel%"
"%AP_PYTHON%" {flags} -c "" <nul >nul 2>nul || exit /b 0
exit /b %AP_STATUS%
"""


def render_python(*, plugin: str, suffix: str, bundle: str) -> str:
    """Return ``launch`` for a package whose handlers run in any ``python3`` on the user's PATH.

    ``bundle`` is the bundle's folder in ``lib/``. ``suffix`` follows the plugin's name in the variable
    that keeps a hook from firing itself.
    """
    return _posix(plugin, suffix, bundle, _PYTHON)


def render_uvx(*, plugin: str, suffix: str, bundle: str, version: str) -> str:
    """Return ``launch`` for a package whose handlers run in an environment that uvx makes."""
    return _posix(plugin, suffix, bundle, _UVX.replace("{version}", version))


def _posix(plugin: str, suffix: str, bundle: str, python: str) -> str:
    variables = (
        _VARIABLES.format(own_state=posix_launcher.own_state(plugin), bundle=bundle) + python
    )
    checks = posix_launcher.SWITCHES + posix_launcher.stand_down(posix_launcher.PLACED, "user")
    for system in ("linux", "macos"):
        checks += posix_launcher.stand_down(f"{SYSTEM_FOLDERS[system]}/{plugin}/placed", "managed")
    return posix_launcher.script(plugin + suffix, _BY, variables, checks)


def with_uvx(script: bytes) -> bytes:
    """Return a slot script that asks uvx if it needs an interpreter and has none."""
    ask = '[ -x "$AP_PYTHON" ] || . "$AP_HERE/lib/ask-uvx.sh"\n'
    return script.replace(HAS_PYTHON.encode(), (ask + HAS_PYTHON).encode())


def ask_uvx(requirement: str) -> str:
    """Return the script that asks uvx for the interpreter.

    ``requirement`` is ``NAME==VERSION``, which needs no quoting.
    """
    return ASK_UVX.replace("{requirement}", requirement)


def render_windows(*, plugin: str, suffix: str, bundle: str, requirement: str = "") -> str:
    """Return ``launch.cmd``. With a requirement uvx runs the dispatcher, else Python's launcher py."""
    program, flags, after = "py", "-3 -I -S -X utf8", ""
    if requirement:
        program, flags = "uvx", f'-q --from "{requirement}" python -I -X utf8'
        after = _AFTER_UVX.format(flags=flags)
    own_state = windows_launcher.own_state(plugin)
    variables = _WINDOWS_VARIABLES.format(own_state=own_state, bundle=bundle, program=program)
    placed = f"{SYSTEM_FOLDERS['windows']}/{plugin}/placed".replace("/", "\\")
    checks = windows_launcher.SWITCHES + windows_launcher.stand_down(
        windows_launcher.PLACED, "user"
    )
    checks += windows_launcher.stand_down(placed, "managed")
    return windows_launcher.script(plugin + suffix, _BY, variables, checks, flags, after)
