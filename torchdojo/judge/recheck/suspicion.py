"""Decide from a learner's source how it must be run. This never decides a verdict; it only adds caution.

Almost all files only call PyTorch and compute. Such a plain file cannot affect anything beyond its own functions, so plain
files share a worker. Any other file (it imports `sys`, writes to a module's attributes, starts a thread ...) gets its own
worker, a snapshot afterwards, and repeated checks. That costs milliseconds, so the test may be crude: a file counts as plain
only if everything in it is known to be harmless.
"""

from __future__ import annotations

import ast
import builtins
import functools
from dataclasses import dataclass

from torchdojo.common.plain_text import syntax_tree
from torchdojo.judge.recheck.shared_modules import MODULES, is_shared, passes_foreign
from torchdojo.judge.recheck.telling_names import CHANCE, DUNDERS, METHODS, PUT_BACK, REACHING, STEADY, SWITCHES
from torchdojo.limits import SOURCE_BYTES

NAMING = (ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.expr_context)


@dataclass(frozen=True)
class Source:
    """plain: it may share a worker. steady: the same call gives the same answer, as far as the text tells."""

    plain: bool
    steady: bool


@functools.lru_cache(2048)
def read(text: bytes) -> Source:
    """Read the text of an exercise file."""
    doubts = _Doubts()
    try:
        if len(text) > SOURCE_BYTES:
            raise MemoryError
        doubts.look_at(syntax_tree(text))
    except (SyntaxError, ValueError):
        return Source(plain=True, steady=True)  # it cannot be imported either
    except (RecursionError, MemoryError):  # Python may import files that are too large or nested too deep for this
        doubts.reaching = doubts.chance = True
    return Source(not doubts.reaching, not doubts.chance)


class _Doubts(ast.NodeVisitor):
    """Walks over a file. Code that may not be plain sets `reaching`; code that may differ from run to run sets `chance`."""

    def __init__(self) -> None:
        self.reaching = self.chance = False
        self.managers, self.in_manager = set[ast.AST](), False
        self.own, self.subscripted = set[str](), set[str]()  # names that the file binds, and that annotations subscript
        self.yields = 0
        self.imported: dict[str, str] = {}  # names bound by imports, to what they stand for

    def look_at(self, tree: ast.Module) -> None:
        self.managers = _managers(tree)
        self.visit(tree)
        self.doubt(not self.own.isdisjoint(self.subscripted))

    def doubt(self, reason: bool = True) -> None:
        self.reaching = self.reaching or reason

    # ---------------------------------------------------------------- names
    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.doubt(alias.name not in MODULES)
            self.chance = self.chance or alias.name not in STEADY
            self.imported[alias.asname or alias.name.split(".")[0]] = alias.name if alias.asname else alias.name.split(".")[0]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        manager = node.module == "contextlib" and [(a.name, a.asname) for a in node.names] == [("contextmanager", None)]
        self.doubt(node.level > 0 or (node.module not in MODULES and not manager))
        self.chance = self.chance or node.level > 0 or node.module not in STEADY
        for alias in node.names:
            self.name(alias.name)
            self.doubt(alias.name == "*" or alias.name in SWITCHES or alias.name.startswith("_"))
            self.imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            self.foreign(f"{node.module}.{alias.name}")

    def name(self, text: str) -> None:
        """One that is imported, or an attribute's."""
        self.doubt(text in REACHING or text.startswith(("register_module", "register_optimizer")))
        self.doubt(text.startswith("__") and text not in DUNDERS)
        self.chance = self.chance or text in CHANCE

    def variable(self, text: str) -> None:
        """One that stands alone."""
        if text.startswith("__") or hasattr(builtins, text):
            self.name(text)

    def visit_Name(self, node: ast.Name) -> None:
        self.variable(node.id)
        if isinstance(node.ctx, ast.Store):
            self.own.add(node.id)
        if node.id in self.imported:  # not a part of a.b.c, which visit_Attribute handles
            self.doubt(not isinstance(node.ctx, ast.Load) or is_shared(self.imported[node.id]))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        chain, root = _chain(node)
        shared = isinstance(root, ast.Name) and root.id in self.imported
        for part in chain:
            if shared or part not in METHODS:
                self.name(part)
        self.doubt(not SWITCHES.isdisjoint(chain))
        own = isinstance(root, ast.Name) and root.id in ("self", "cls", "ctx")
        self.doubt(any(part.startswith("_") and part not in DUNDERS for part in chain) and not (own and len(chain) == 1))
        if isinstance(root, ast.Name) and root.id in self.imported:
            self.doubt(not isinstance(node.ctx, ast.Load) or is_shared(self.known(root.id, chain)))
            return
        self.doubt(isinstance(node.ctx, (ast.Store, ast.Del)) and not isinstance(root, (ast.Name, ast.Subscript)))
        if chain == ["__name__"] and isinstance(node.ctx, ast.Load) and _is_type_of(root):
            root = root.args[0]  # type: ignore[attr-defined]
        self.visit(root)

    def known(self, root: str, chain: list[str]) -> str:
        """The full name of something imported; settings of PyTorch that nobody restores, and its internals, are doubted."""
        for part in chain:
            self.doubt(part.startswith("set_") and part not in PUT_BACK)
        dotted = ".".join((self.imported[root], *chain))
        self.doubt("torch.utils." in dotted and not dotted.startswith("torch.utils.data."))
        self.foreign(dotted)
        return dotted

    def foreign(self, dotted: str) -> None:
        """Modules that others have imported, as in `collections._sys`, are doubted."""
        foreign = passes_foreign(dotted)
        self.doubt(foreign)
        self.chance = self.chance or foreign

    # ---------------------------------------------------------------- where a class or module may be named
    def visit_Call(self, node: ast.Call) -> None:
        function = node.func
        if isinstance(function, ast.Name) and function.id in ("getattr", "hasattr"):
            named = node.args[1] if len(node.args) > 1 else None
            text = named.value if isinstance(named, ast.Constant) else None
            self.doubt(not isinstance(text, str) or text.startswith("_"))
            self.name(str(text))
            arguments = [node.args[0], *node.args[2:]] if node.args else []
        elif isinstance(function, ast.Name) and function.id in ("isinstance", "issubclass"):
            arguments = node.args[:1]
            for argument in node.args[1:]:  # names classes
                self.annotation(argument)
        else:
            self.harmless(function)
            arguments = node.args
        for argument in (*arguments, *(k.value for k in node.keywords)):
            self.visit(argument)

    def harmless(self, node: ast.expr) -> None:
        """A class that is called, subclassed or used in an annotation: visited, but not treated as an alias."""
        chain, root = _chain(node)
        if isinstance(root, ast.Name) and root.id in self.imported:
            self.known(root.id, chain)
            for part in chain:
                self.name(part)
                self.doubt(part.startswith("_") or part in SWITCHES)
        else:
            self.visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for base in node.bases:
            self.harmless(base)
        self.doubt(bool(node.keywords))
        for part in (*node.decorator_list, *node.body):
            self.visit(part)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.variable(node.name)
        self.own.add(node.name)
        self.doubt(node.name in self.imported)
        outside, self.in_manager = self.in_manager, node in self.managers and "contextmanager" in self.imported
        decorators = [] if self.in_manager else node.decorator_list
        for part in (*decorators, *node.args.defaults, *(d for d in node.args.kw_defaults if d), *node.body):
            self.visit(part)
        self.in_manager = outside
        given = node.args
        for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
            if argument is not None:
                self.visit_arg(argument)
                self.annotation(argument.annotation)
        self.annotation(node.returns)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.annotation(node.annotation)
        self.visit(node.target)
        if node.value is not None:
            self.visit(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        self.own.add(node.arg)

    def annotation(self, node: ast.expr | None) -> None:
        """It may name classes; Python evaluates it, so it must not call anything, `own[Tensor]` and `own == Tensor` neither."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if root is None or isinstance(root, (ast.Name, ast.Constant)):  # nearly all
            return
        assert node is not None
        for part in ast.walk(node):
            self.doubt(not isinstance(part, NAMING))
            if isinstance(part, ast.Subscript):
                _, root = _chain(part.value)
                self.doubt(not isinstance(root, ast.Name))
                self.subscripted |= {root.id} if isinstance(root, ast.Name) else set()

    # ---------------------------------------------------------------- the rest
    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, (ast.MatchAs, ast.MatchStar, ast.ExceptHandler)):
            self.own.add(str(node.name))
        elif isinstance(node, ast.MatchMapping):
            self.own.add(str(node.rest))
        self.yields += isinstance(node, (ast.Yield, ast.YieldFrom))
        for value in map(vars(node).get, node._fields):  # half of the time of NodeVisitor's
            if type(value) is list:
                for part in value:
                    if isinstance(part, ast.AST):
                        self.visit(part)
            elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                self.visit(value)

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        for name in node.kwd_attrs:  # `case object(__dict__=d)` reads the attribute
            self.name(name)
            self.doubt(name.startswith("_"))
        self.generic_visit(node)

    def visit_With(self, node: ast.With) -> None:
        before = self.yields
        self.generic_visit(node)
        self.doubt(self.yields > before and not self.in_manager)  # the block may never end

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.doubt()

    def visit_Global(self, node: ast.Global) -> None:
        self.chance = True  # an answer may depend on how often it was asked for
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        pass


def _managers(tree: ast.Module) -> set[ast.AST]:
    """The functions under @contextmanager that are only ever called by `with`, which leaves whatever it has entered."""
    made = {
        part.name: part
        for part in tree.body
        if isinstance(part, ast.FunctionDef) and [ast.unparse(d) for d in part.decorator_list] == ["contextmanager"]
    }
    if not made:
        return set()
    entered = {
        item.context_expr.func
        for part in ast.walk(tree)
        if isinstance(part, ast.With)
        for item in part.items
        if isinstance(item.context_expr, ast.Call)
    }
    used = {part.id for part in ast.walk(tree) if isinstance(part, ast.Name) and part not in entered}
    return {function for name, function in made.items() if name not in used}


def _chain(node: ast.expr) -> tuple[list[str], ast.expr]:
    """The names of a.b.c after the first, and the node of the first."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return names[::-1], node


def _is_type_of(node: ast.expr) -> bool:
    """Is it a call type(x) with one argument?"""
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "type" and len(node.args) == 1 and not node.keywords
