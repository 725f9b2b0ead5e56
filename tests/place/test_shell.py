"""Words are quoted as the standard library quotes them."""

from __future__ import annotations

import shlex

from hypothesis import given
from hypothesis import strategies as st

from hatch_agentplugin.place import _shell

WORDS = st.one_of(st.text(max_size=12), st.text(alphabet="aZ0_@%+=:,./- '\"$`\\\né~*", max_size=12))


@given(st.lists(WORDS, max_size=4))
def test_like_shlex(words: list[str]) -> None:
    assert [_shell.quote(word) for word in words] == [shlex.quote(word) for word in words]
    assert _shell.join(words) == shlex.join(words)
