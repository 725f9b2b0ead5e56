"""CONTRIBUTING.md is true: its layers hold, its paths exist, and it leads to the right module."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.built import TREE

CORE = "hatch_agentplugin"
ADAPTERS = "agentplugin_adapters"
#: Package -> the folder that contains it.
ROOTS = {CORE: TREE, ADAPTERS: TREE / "adapters"}
PAGE = (TREE / "CONTRIBUTING.md").read_text("utf-8")

#: For a reader who is new to the code: where would you change this? Answered from the names of the
#: files and the page alone. An answer is the path of a module or folder, without suffix.
QUESTIONS = (
    ("A new version of Codex keeps its settings in another folder.",
     "adapters/agentplugin_adapters/codex"),
    ("Cursor expects another JSON document when a hook refuses a tool call.",
     "adapters/agentplugin_adapters/cursor"),
    ("Gemini CLI renames the field of its payload that holds the tool's name.",
     "adapters/agentplugin_adapters/gemini_cli"),
    ("Authors should be able to declare hooks for one more moment in a session.",
     "hatch_agentplugin/words"),
    ("Handlers should be able to import one more name with `from hatch_agentplugin import ...`.",
     "hatch_agentplugin/__init__"),
    ("A timeout of up to one hour should be allowed in pyproject.toml.",
     "hatch_agentplugin/config/values"),
    ("An author keeps the declarations in a portable JSON file; one more key in it should be read.",
     "hatch_agentplugin/config/hooks_file"),
    ("The table that a build prints should be sorted by event.",
     "hatch_agentplugin/report"),
    ("What a wheel says about each file to place gets one more field.",
     "hatch_agentplugin/plan"),
    ("A path with an apostrophe is quoted wrongly for PowerShell.",
     "hatch_agentplugin/activate/commands"),
    ("A comma ends up in a comment when an entry is added to a JSON list.",
     "hatch_agentplugin/edit/json_insertion"),
    ("A command was killed half-way, and the next one should finish its work in another order.",
     "hatch_agentplugin/transaction/recover"),
    ("Ten older versions of a user's file should be kept, not five.",
     "hatch_agentplugin/transaction/backups"),
    ("A plugin installed in site-packages is not found because its marker is too large.",
     "hatch_agentplugin/activate/discover"),
    ("The question before files are written should say how many files there are.",
     "hatch_agentplugin/cli/activate"),
    ("The command that shows when hooks last fired gets a new option.",
     "hatch_agentplugin/cli/status"),
    ("The script that agents start should look for another file to see that it is disabled.",
     "hatch_agentplugin/scripts/posix_launcher"),
    ("The file that records failing hooks should grow to 1 MiB before a new one begins.",
     "hatch_agentplugin/fire/log"),
    ("The one-file package of an MCP server for Claude Desktop should contain an icon.",
     "hatch_agentplugin/packages/mcpb"),
    ("The fixture that fires hooks in a plugin author's tests should be there once per module.",
     "hatch_agentplugin/testing/pytest_plugin"),
)  # fmt: skip

#: Package -> the only packages of ours that it may import, where the layers allow more.
ONLY = {
    "fire": set(),
    "edit": set(),
    "transaction": {"codec", "names", "words"},
    ADAPTERS: {"adapter"},
}
#: Package -> packages below it that it must not import all the same.
NEVER = {"activate": {"adapter", "compiler", "config", "declaration"}}
#: Distribution that a plugin's user may not have -> the only packages that import it.
BUILD_ONLY = {
    "hatchling": {"hatch"},
    "jinja2": {"compiler"},
    "pluggy": {"hosts"},
    "pydantic": {"config"},
    "pytest": {"testing"},
}


# --- the import graph ---


@cache
def modules() -> Mapping[str, Path]:
    """Every module of ours by its dotted name."""
    found = {}
    for root, folder in ROOTS.items():
        for path in sorted((folder / root).rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(module: str) -> Iterator[str]:
    """Every name that a module imports, also inside functions: ``package.module.name``."""
    path = modules()[module]
    base = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = base[: len(base) + 1 - node.level] if node.level else []
            source = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{source}.{alias.name}" for alias in node.names)


@cache
def graph() -> Mapping[str, frozenset[str]]:
    """Module -> the modules of ours that it imports."""

    def target(name: str) -> str | None:
        return next((n for n in (name, name.rpartition(".")[0]) if n in modules()), None)

    return {
        module: frozenset(t for name in imported(module) if (t := target(name)) and t != module)
        for module in modules()
    }


def package_of(module: str) -> str:
    """The package or top-level module that a module belongs to: ``edit``, ``plan``."""
    root, _, rest = module.partition(".")
    return rest.partition(".")[0] if root == CORE and rest else root


def arrows() -> Iterator[tuple[str, str, str]]:
    """Every import from one package into another: module, its package, the other package."""
    for module, targets in graph().items():
        source = package_of(module)
        for target in targets:
            if package_of(target) != source:
                yield module, source, package_of(target)


def circles(edges: Mapping[str, frozenset[str]]) -> str:
    """Return the groups of nodes that reach each other, one per line."""

    @cache
    def reach(node: str) -> frozenset[str]:
        seen: set[str] = set()
        waiting = [node]
        while waiting:
            new = edges.get(waiting.pop(), frozenset()) - seen
            seen |= new
            waiting += new
        return frozenset(seen)

    groups = {
        tuple(sorted(other for other in reach(node) if node in reach(other)))
        for node in edges
        if node in reach(node)
    }
    return "\n".join(map(" ".join, sorted(groups)))


def layers() -> list[list[str]]:
    """The lines of the page's diagram, from the top."""
    section = PAGE.partition("## Where things are")[2]
    diagram = re.search(r"```text\n(.*?)```", section, re.DOTALL)
    assert diagram
    return [re.split(r" {2,}", line)[0].split(", ") for line in diagram[1].splitlines()]


# --- the layers hold ---


def test_no_modules_import_each_other() -> None:
    found = circles(graph())
    assert not found, found


def test_no_packages_import_each_other() -> None:
    edges: dict[str, set[str]] = {}
    for _, source, target in arrows():
        edges.setdefault(source, set()).add(target)
    found = circles({name: frozenset(targets) for name, targets in edges.items()})
    assert not found, found


def test_packages_import_only_from_lines_below() -> None:
    height = {name: -n for n, line in enumerate(layers()) for name in line}
    wrong = [
        f"{module} imports {target}"
        for module, source, target in arrows()
        if source in height and height.get(target, 0) >= height[source]
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", [*ONLY, *NEVER])
def test_package_with_a_rule_of_its_own(package: str) -> None:
    """Neither a package that must stand alone, nor a stage that must not know an earlier one."""
    targets = {(module, target) for module, source, target in arrows() if source == package}
    allowed = ONLY.get(package)
    forbidden = NEVER.get(package, set())
    wrong = [
        f"{module} imports {target}"
        for module, target in sorted(targets)
        if target in forbidden or (allowed is not None and target not in allowed)
    ]
    assert not wrong, "\n".join(wrong)


def test_fire_imports_only_the_standard_library() -> None:
    known = {*sys.stdlib_module_names, CORE}
    names = {
        name for module in modules() if package_of(module) == "fire" for name in imported(module)
    }
    assert {name for name in names if name.partition(".")[0] not in known} == set()


def test_only_one_package_knows_each_build_dependency() -> None:
    wrong = [
        f"{module} imports {name}"
        for module in modules()
        for name in imported(module)
        if package_of(module) not in BUILD_ONLY.get(name.partition(".")[0], {package_of(module)})
    ]
    assert not wrong, "\n".join(wrong)


def test_private_names_stay_in_their_package() -> None:
    """Neither a module nor a name that begins with an underscore."""
    wrong = [
        f"{module} imports {name}"
        for module in modules()
        for name in imported(module)
        if name.partition(".")[0] in ROOTS
        and package_of(name) != package_of(module)
        and any(part.startswith("_") and not part.startswith("__") for part in name.split("."))
    ]
    assert not wrong, "\n".join(wrong)


def test_core_names_no_built_in_adapter() -> None:
    """It finds them by the entry points of its own distribution."""
    files = (TREE / CORE).rglob("*.py")
    named = [file for file in files if ADAPTERS in file.read_text("utf-8")]
    assert [file.relative_to(TREE).as_posix() for file in named] == []


# --- the page is complete ---


def test_page_names_every_package() -> None:
    """In the diagram, and with a sentence of its own; and nothing that does not exist."""
    found = {path.name for path in (TREE / CORE).iterdir() if list(path.glob("*.py"))}
    found |= {path.stem for path in (TREE / CORE).glob("[!_]*.py")}
    assert {name for line in layers() for name in line} == found
    section = PAGE.partition("Below `hatch_agentplugin/`:")[2].partition("Beside it:")[0]
    assert set(re.findall(r"^- `(\w+?)(?:/|\.py)`: ", section, re.MULTILINE)) == {
        "__init__",
        *found,
    }


def test_paths_on_the_page_exist() -> None:
    paths = re.findall(r"`((?:tests|docs|adapters|hatch_agentplugin|example-plugin|benchmarks)/[^`*]*)`",
                       PAGE)  # fmt: skip
    paths += re.findall(r"\]\(([^):#]+)\)", PAGE)
    assert len(paths) > 20
    assert [path for path in paths if not (TREE / path).exists()] == []


def test_commands_on_the_page_are_those_of_dev_py() -> None:
    listed = re.findall(r"^\| `python3 dev\.py (\w+)", PAGE, re.MULTILINE)
    helped = re.findall(
        r"^    (\w+) ", (TREE / "dev.py").read_text("utf-8").split('"""')[1], re.MULTILINE
    )
    assert sorted(listed) == sorted(helped)


def test_there_are_twenty_questions() -> None:
    assert len({question for question, _ in QUESTIONS}) == 20


@pytest.mark.parametrize(("question", "answer"), QUESTIONS, ids=[path for _, path in QUESTIONS])
def test_question_has_an_answer(question: str, answer: str) -> None:
    """The answer exists, as a module or a folder, and the question doesn't give it away."""
    path = TREE / answer
    assert path.is_dir() or path.with_suffix(".py").is_file()
    words = set(path.name.strip("_").split("_"))
    assert ADAPTERS in answer or not words <= set(re.findall(r"[a-z]+", question.lower()))


@pytest.mark.parametrize(
    "file", sorted((TREE / "benchmarks").glob("*.py")), ids=lambda one: one.name
)
def test_benchmarks_import_what_exists(file: Path) -> None:
    """No other test runs the benchmarks, and the type checker does not read them."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in ROOTS:
            module = importlib.import_module(node.module or "")
            missing = [one.name for one in node.names if not hasattr(module, one.name)]
            assert not missing, f"{node.module} has no {missing}"
