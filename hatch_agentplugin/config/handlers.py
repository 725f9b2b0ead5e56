"""Checks that a handler reference names a callable of the project, without importing it.

The author's dependencies are not installed in the build environment, so modules are read with
``ast``. Standard library only.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hatch_agentplugin.problems import Mistake, quoted
from hatch_agentplugin.words import nearest

#: Path in the wheel (``acme/hooks.py``) -> the file in the project.
Sources = Mapping[str, Path]

_FORM = 'write "package.module:callable", for example "acme.hooks:guard"'
_BINARY = (".so", ".pyd")
_DATA = (ast.Constant, ast.Dict, ast.JoinedStr, ast.List, ast.Set, ast.Tuple)


def check_handler(reference: str, sources: Sources) -> str:
    """Check that ``module:callable`` exists in the wheel and takes one argument; return it.

    Raises :class:`Mistake`.
    """
    module, colon, name = reference.partition(":")
    if not colon or not name.isidentifier() or not all(map(str.isidentifier, module.split("."))):
        raise Mistake(f"{quoted(reference)} is not a handler reference", _form_advice(reference))
    path = module.replace(".", "/")
    for candidate in (f"{path}.py", f"{path}/__init__.py"):
        if candidate in sources:
            _check_name(reference, name, sources[candidate])
            return reference
    if any(key.startswith(f"{path}.") and key.endswith(_BINARY) for key in sources):
        return reference  # a compiled module cannot be read
    raise Mistake(
        f"the wheel contains no module {quoted(module)}", _module_advice(module, name, sources)
    )


def _form_advice(reference: str) -> str:
    """Suggest the reference that the author probably means."""
    path, colon, name = reference.replace("\\", "/").rpartition(":")
    if not colon:
        path, _, name = reference.rpartition(".")
    module = path.removesuffix(".py").strip("./").replace("/", ".")
    name = name.removesuffix("()").strip()
    if name.isidentifier() and module and all(map(str.isidentifier, module.split("."))):
        return f'did you mean "{module}:{name}"? A reference is "package.module:callable"'
    return _FORM


def _module_advice(module: str, name: str, sources: Sources) -> str:
    modules = sorted(_modules(sources))
    if near := nearest(module, modules):
        return f'did you mean "{near}:{name}"? A handler must be in a module of the project'
    if not modules:
        return "the wheel contains no Python module; check tool.hatch.build.targets.wheel"
    shown = ", ".join(modules[:8]) + (", ..." if len(modules) > 8 else "")
    return f"a handler must be in a module of the project: {shown}"


def _modules(sources: Sources) -> Iterator[str]:
    for path in sources:
        if path.endswith(".py"):
            dotted = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            if all(map(str.isidentifier, dotted.split("."))):
                yield dotted


def _check_name(reference: str, name: str, file: Path) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the author's style
            tree = ast.parse(file.read_bytes(), filename=file.name)
    except (SyntaxError, ValueError) as error:
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        why = error.msg if isinstance(error, SyntaxError) else str(error)
        raise Mistake(
            f"the module of {quoted(reference)} is not valid Python",
            f"{file.name}{line}: {why}",
        ) from None
    found = dict(_bindings(tree.body))
    if name in found:
        _check_definition(reference, name, found[name])
    elif "*" not in found and "__getattr__" not in found:
        raise Mistake(
            f"{quoted(reference)}: the module defines no {quoted(name)}",
            _name_advice(reference, name, found),
        )


def _name_advice(reference: str, name: str, found: Mapping[str, ast.stmt]) -> str:
    functions = [key for key, node in found.items() if isinstance(node, ast.FunctionDef)]
    module = reference.partition(":")[0]
    near = nearest(name, functions) or nearest(name, found)
    if near:
        return f'did you mean "{module}:{near}"?'
    if functions:
        return f"functions of the module: {', '.join(sorted(functions)[:12])}"
    return f"write it: def {name}(event): ..."


def _check_definition(reference: str, name: str, node: ast.stmt) -> None:
    """Check that a plain function takes the event alone, and that data is not called."""
    if isinstance(node, ast.Import) or _is_data(node):
        raise Mistake(
            f"{quoted(reference)} is not callable",
            "write the name of a function or a callable object",
        )
    if isinstance(node, ast.AsyncFunctionDef) and not node.decorator_list:
        raise Mistake(
            f"{quoted(reference)} is an async function",
            f"write a plain function: def {name}(event): return asyncio.run(...)",
        )
    if isinstance(node, ast.FunctionDef) and not node.decorator_list:
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        needed = len(positional) - len(arguments.defaults)
        bare = [n for n, default in enumerate(arguments.kw_defaults) if default is None]
        if needed > 1 or bare or not (positional or arguments.vararg):
            raise Mistake(
                f"{quoted(reference)} cannot be called with one argument",
                f"a handler gets only the event: def {name}(event): ...",
            )


def _is_data(node: ast.stmt) -> bool:
    """Tell whether a name is bound to a number, a text or a collection."""
    if isinstance(node, ast.Assign):
        plain = all(isinstance(target, ast.Name) for target in node.targets)
        return plain and isinstance(node.value, _DATA)
    return isinstance(node, ast.AnnAssign) and isinstance(node.value, _DATA)


def _bindings(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """Yield names bound at the top level of a module, in ``if``, ``try``, ``with`` and loops too."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield (alias.asname or alias.name).partition(".")[0], node
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                yield from ((name, node) for name in _names(node.target))
        elif isinstance(node, ast.Assign):
            yield from ((name, node) for target in node.targets for name in _names(target))
        else:
            for part in ("body", "handlers", "orelse", "finalbody", "cases"):
                for inner in getattr(node, part, ()):
                    yield from _bindings(getattr(inner, "body", ()) if _is_arm(inner) else [inner])


def _is_arm(node: ast.AST) -> bool:
    """Tell ``except`` and ``case`` clauses, which contain statements, from statements."""
    return isinstance(node, (ast.ExceptHandler, ast.match_case))


def _names(target: ast.expr) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
