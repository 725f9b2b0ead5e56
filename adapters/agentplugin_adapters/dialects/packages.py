"""Shared parts of host packages: manifests and the index of a marketplace."""

from __future__ import annotations

from typing import Any

ABOUT: dict[str, Any] = {
    "name": "$name",
    "version": "$version",
    "description": "$description",
    "author": "$author",
    "homepage": "$homepage",
    "repository": "$repository",
    "license": "$license",
    "keywords": "$keywords",
}
#: A manifest for a folder that `activate` makes, with hooks and nothing else.
HOOKS_ONLY = {"name": "$plugin", "version": "1.0.0", "description": "Hooks of $plugin"}
#: Claude Code's index of a marketplace, which most later hosts read too.
INDEX: dict[str, Any] = {
    "name": "$market",
    "owner": "$author",
    "plugins": [
        {
            "name": "$name",
            "source": "$source",
            "description": "$description",
            "version": "$version",
        }
    ],
}
#: npm publishes only what ``files`` names, and only under a semantic version (libnpmpublish 11:
#: "invalid semver").
NPM: dict[str, Any] = {**ABOUT, "version": "$semver", "type": "module", "files": ["*"]}
