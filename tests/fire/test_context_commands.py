"""Commands whose output goes to the model: ``result = "context"``."""

from __future__ import annotations

import pytest

from tests.fire.rig import Rig, command, start_table


def lay(rig: Rig, text: str, **changes: object) -> Rig:
    script = rig.script("say.sh", text)
    hook = command(script, **{"result": "context", **changes})
    return rig.slot(start_table(hooks=[hook]))


def test_output_is_context(rig: Rig) -> None:
    """The command's output becomes context in the host's form."""
    fired = lay(rig, "echo 'the tree is ünclean'; echo noise >&2").fire(slot="session-start")
    assert "the tree is ünclean" in str(fired.reply)
    assert "noise" not in str(fired.reply)
    assert fired.status == 0


@pytest.mark.parametrize("text", ["", "echo; echo", "exec /no/such/program"], ids=repr)
def test_nothing_said_is_silence(rig: Rig, text: str) -> None:
    assert lay(rig, text).fire(slot="session-start").silent


def test_status_does_not_matter(rig: Rig) -> None:
    assert "said" in str(lay(rig, "echo said; exit 2").fire(slot="session-start").reply)


def test_much_output_is_bounded(rig: Rig) -> None:
    """A megabyte neither blocks the command nor reaches the host."""
    text = 'head -c 1000000 /dev/zero | tr "\\0" x; : >"$PLUGIN_DATA/ended"'
    fired = lay(rig, text).fire(slot="session-start")
    assert (rig.state / "data/ended").is_file()
    assert 1000 < len(fired.out) < 70_000


def test_command_that_hangs_says_nothing(rig: Rig) -> None:
    fired = lay(rig, "echo early; sleep 20", timeout=1).fire(slot="session-start")
    assert fired.silent
