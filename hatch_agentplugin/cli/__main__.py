"""``python -m hatch_agentplugin.cli``."""

import sys

from hatch_agentplugin.cli import main

sys.exit(main())
