"""The launcher as a script for a POSIX shell, whether it is on this machine or in a host package."""

from __future__ import annotations

_TEMPLATE = """\
#!/bin/sh
# Launcher of the plugin {plugin}, {by}.
# Agents start it as: launch HOST SLOT [--project]
# Whatever is missing, it exits with status 0 and without output, so it never blocks an agent.
trap 'exit 0' 0
[ "$BASH_VERSION" ] && shopt -s execfail 2>/dev/null
AP_HOST=$1 AP_SLOT=$2 AP_EVENT=${{2%%.*}}
{variables}
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
_OWN_STATE = """\
case $AGENT_PLUGIN_HOME in
  /*) AP_STATE=$AGENT_PLUGIN_HOME/{plugin};;
  "~/"*) AP_STATE=$HOME/${{AGENT_PLUGIN_HOME#??}}/{plugin};;
  *) AP_STATE=$HOME/.agent-plugin/{plugin};;
esac
[ -d "$AP_STATE/fired" ] || [ -z "$HOME" ] ||
  (umask 077; mkdir -p "$AP_STATE/fired") 2>/dev/null"""
#: Exits if the user has switched the plugin or the event off.
SWITCHES = """\
[ -e "$AP_STATE/disabled/all" ] && exit 0
[ -e "$AP_STATE/disabled/$AP_EVENT" ] && exit 0
"""
#: The file, as a shell word, that lists where the user has the plugin.
PLACED = '"$AP_STATE/placed"'


def script(plugin: str, by: str, variables: str, checks: str) -> str:
    """Return the script.

    ``by`` says in a comment who wrote it. ``variables`` are lines that set AP_STATE, AP_BUNDLE,
    AP_PYTHON and AP_RUNTIME; ``checks`` are lines that may exit.
    """
    return _TEMPLATE.format(plugin=plugin, by=by, variables=variables, checks=checks)


def own_state(plugin: str) -> str:
    """Return lines that set AP_STATE to the folder of the user who runs the script."""
    return _OWN_STATE.format(plugin=plugin)


def stand_down(placed: str, scope: str, test: str = "") -> str:
    """Return lines that exit if the host has an entry in a scope, by the file ``placed``.

    ``placed`` is a shell word. ``test`` is a command that must succeed; by default the file exists.
    """
    return (
        f"{test or f'[ -e {placed} ]'} && {{\n"
        f"  AP_ON=; {{ read -r AP_ON; }} 2>/dev/null <{placed}\n"
        f'  case " $AP_ON " in *" $1.{scope} "*) exit 0;; esac\n'
        "}\n"
    )
