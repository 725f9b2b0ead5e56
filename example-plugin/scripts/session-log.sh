#!/bin/sh
# Adds a line "TIME HOST EVENT" to sessions.log in the folder given as the first argument.
set -eu
[ -z "${AGENT_PLUGIN_DOCTOR-}" ] || exit 0 # called by doctor: not the end of a turn
mkdir -p "$1"
printf '%s %s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$AGENT_PLUGIN_HOST" "$AGENT_PLUGIN_EVENT" >>"$1/sessions.log"
