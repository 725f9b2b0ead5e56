"""Mutation testing: change one operator at a time and see whether a test fails.

Run by ``dev.py mutate [MODULE ...]``. A module is a path below ``hatch_agentplugin``, or a folder
of it; by default all of TESTS are mutated. Cosmic Ray makes the mutants, each in a copy of the
checkout, because most of ``fire/`` is tested in processes of its own. Only the tests named in TESTS
run, and only a sample of the mutants of each module, so the score is an estimate.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue

from cosmic_ray import plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "hatch_agentplugin"

#: Beginning of a module's path -> the quick tests that cover it. The first match counts.
TESTS: dict[str, Sequence[str]] = {
    "fire/text.py": ["fire/test_text.py"],
    "fire/answer.py": ["fire/test_answer.py"],
    "fire/api.py": ["fire/test_api.py"],
    "fire/commands.py": ["fire/test_context_commands.py", "fire/test_commands.py"],
    "fire/": ["fire/test_hot_path.py", "fire/test_handlers.py"],
    "edit/": ["edit"],
    "transaction/ledger.py": ["transaction/test_ledger_files.py", "transaction/test_ledger.py"],
    "compiler/slots.py": ["compiler"],
    "words.py": ["test_events.py", "config", "compiler"],
}
#: Operators whose mutants make no difference: unions in annotations, identity of short strings.
_NO_OPERATORS = re.compile(r"BinaryOperator_BitOr_|_(Not)?Eq_Is(Not)?$")
#: Lines on which they make none: for type checkers, sizes of limits, immutability.
_NO_LINES = re.compile(r"TYPE_CHECKING|^_?[A-Z_]+\b.* = |^@dataclass")
#: Copied neither into the scratch folders nor needed there.
_LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "cache", "dist"
)


@dataclass(frozen=True)
class Mutant:
    """One change of one module."""

    module: str
    """Path below the package."""
    operator: str
    """Cosmic Ray's name of the change."""
    occurrence: int
    """Which of the places where the operator fits, from 0."""
    line: int
    """Line number, from 1."""
    column: int


@dataclass
class Score:
    """The result for one module."""

    mutants: int
    """How many the module has."""
    tried: int
    survivors: list[str] = field(default_factory=list)
    """A line for each mutant that no test noticed."""


def mutants_of(module: str, code: str) -> Iterator[Mutant]:
    """Yield every mutant of a module that can make a difference."""
    tree, lines = get_ast(code), code.splitlines()
    for name in plugins.operator_names():
        operator = plugins.get_operator(name)
        if operator.arguments() or _NO_OPERATORS.search(name):
            continue
        places = (
            place for node in ast_nodes(tree) for place in operator().mutation_positions(node)
        )
        for number, ((line, column), _) in enumerate(places):
            if not _NO_LINES.search(lines[line - 1]):
                yield Mutant(module, name, number, line, column)


def sample(mutants: Sequence[Mutant], most: int, seed: int) -> list[Mutant]:
    """Choose at most ``most`` mutants, first one of each place in the code."""
    chosen = list(mutants)
    random.Random(seed).shuffle(chosen)
    places: set[tuple[int, int]] = set()
    repeated: dict[Mutant, bool] = {}
    for mutant in chosen:
        repeated[mutant] = (mutant.line, mutant.column) in places
        places.add((mutant.line, mutant.column))
    return sorted(chosen, key=repeated.__getitem__)[:most]


class Copy:
    """A copy of the checkout in which one mutant at a time is tested."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT, folder, ignore=_LEFT_OUT)

    def run(self, tests: Sequence[str], seconds: float | None = None) -> bool:
        """Run tests. Return True if all pass, False if one fails or the time is over."""
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
        command += ["-m", "not slow and not hosts", *(f"tests/{one}" for one in tests)]
        process = subprocess.Popen(
            command,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return False

    def survives(self, mutant: Mutant, tests: Sequence[str], seconds: float) -> str:
        """Return the mutated line if no test fails, else an empty string."""
        path = self.folder / PACKAGE / mutant.module
        code = path.read_text("utf-8")
        mutated = mutate_code(code, plugins.get_operator(mutant.operator)(), mutant.occurrence)
        if mutated is None:
            return ""
        try:
            self._write(path, mutated)
            return _difference(code, mutated, mutant) if self.run(tests, seconds) else ""
        finally:
            self._write(path, code)

    def _write(self, path: Path, code: str) -> None:
        """Write a module. Compiled code goes by time and size, which may be the same as before."""
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
            compiled.unlink()
        path.write_text(code, "utf-8")


def _difference(code: str, mutated: str, mutant: Mutant) -> str:
    lines = zip(code.splitlines(), mutated.splitlines(), strict=False)
    old, new = next((old, new) for old, new in lines if old != new)
    return f"{mutant.module}:{mutant.line}: {old.strip()}  ->  {new.strip()}"


def tests_for(module: str) -> Sequence[str]:
    """Return the tests of a module. Raises SystemExit if TESTS has none."""
    for start, tests in TESTS.items():
        if module.startswith(start):
            return tests
    sys.exit(f"{module}: TESTS in {Path(__file__).name} names no tests for it")


def modules(names: Sequence[str]) -> list[str]:
    """Return the paths of the modules that are named. Raises SystemExit if one does not exist."""
    package = ROOT / PACKAGE
    found: dict[str, None] = {}
    for name in names or TESTS:
        path = package / name
        if not path.exists():
            sys.exit(f"{path} does not exist")
        for one in [path] if path.is_file() else sorted(path.rglob("*.py")):
            found[one.relative_to(package).as_posix()] = None
    return list(found)


def measure(module: str, copies: SimpleQueue[Copy], workers: int, most: int, seed: int) -> Score:
    """Test a sample of a module's mutants. Raises SystemExit if its tests fail without a change."""
    code = (ROOT / PACKAGE / module).read_text("utf-8")
    every, tests = list(mutants_of(module, code)), tests_for(module)
    copy = copies.get()
    began = time.monotonic()
    passed = copy.run(tests) if every else True
    seconds = 10 + 3 * (time.monotonic() - began)
    copies.put(copy)
    if not passed:
        sys.exit(f"{module}: {', '.join(tests)} fail without any change")

    def survivor(mutant: Mutant) -> str:
        copy = copies.get()
        try:
            return copy.survives(mutant, tests, seconds)
        finally:
            copies.put(copy)

    chosen = sample(every, most, seed)
    with ThreadPoolExecutor(workers) as pool:
        survivors = sorted(filter(None, pool.map(survivor, chosen)))
    return Score(len(every), len(chosen), survivors)


def percent(tried: int, survived: int) -> str:
    """Return the share of mutants that a test noticed."""
    return f"{100 * (tried - survived) / tried:.0f} %" if tried else "-"


def main() -> None:
    """Mutate, test and print the scores."""
    parser = argparse.ArgumentParser(prog="dev.py mutate", description=__doc__)
    parser.add_argument("modules", nargs="*", help="such as fire/text.py or edit")
    parser.add_argument("--sample", type=int, default=40, help="mutants per module (default 40)")
    parser.add_argument("--seed", type=int, default=0, help="which sample (default 0)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    chosen = modules(options.modules)
    print(f"At most {options.sample} mutants of each module, sample {options.seed}", flush=True)
    tried = survived = 0
    with tempfile.TemporaryDirectory(prefix="agent-plugin-mutate-") as scratch:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(options.workers):
            copies.put(Copy(Path(scratch) / str(number)))
        for module in chosen:
            score = measure(module, copies, options.workers, options.sample, options.seed)
            tried, survived = tried + score.tried, survived + len(score.survivors)
            found = percent(score.tried, len(score.survivors))
            print(f"{module:28} {score.tried:4} of {score.mutants:4} mutants, {found} noticed")
            for line in score.survivors:
                print(f"    {line}")
            sys.stdout.flush()
    print(f"{tried} mutants, {survived} survived: {percent(tried, survived)} noticed")


if __name__ == "__main__":
    main()
