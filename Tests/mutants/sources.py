"""Mutants of the Python examples: one comparison, number, operator, condition or statement of the source is another one."""

import ast
import copy
import pathlib
import random
import shutil
from dataclasses import dataclass

EXAMPLES = pathlib.Path(__file__).parents[2] / "deploy" / "examples"
COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}
CALCULATED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult}
# How the program starts, what it uses, and how wide its index looks around are no rules of the service.
LEFT_OUT = {"main", "stats", "Grid"}


@dataclass
class Mutant:
    name: str
    source: str


def changes(node):
    """(what, the node that takes this one's place) for each way to change it."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
        other = copy.deepcopy(node)
        other.ops[0] = COMPARED[type(node.ops[0])]()
        yield "compares otherwise", other
    elif isinstance(node, ast.BinOp) and type(node.op) in CALCULATED:
        other = copy.deepcopy(node)
        other.op = CALCULATED[type(node.op)]()
        yield "calculates otherwise", other
    elif isinstance(node, ast.BoolOp):
        other = copy.deepcopy(node)
        other.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "and is or", other
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield "another number", ast.Constant(node.value + 1 if node.value < 10 else node.value * 2)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield "the opposite", ast.Constant(not node.value)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "not done", ast.Pass()
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Attribute, ast.Subscript)):
        yield "not kept", ast.Pass()
    elif isinstance(node, ast.If) and not node.orelse:
        other = copy.deepcopy(node)
        other.test = ast.Constant(False)
        yield "never", other
    elif isinstance(node, ast.Raise):
        yield "not refused", ast.Pass()


class Place(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old, new):
        self.old, self.new = old, new

    def visit(self, node):
        return ast.copy_location(self.new, node) if node is self.old else super().visit(node)


def mutants(name, count, seed):
    text = (EXAMPLES / f"{name}.py").read_text()
    found = []
    for part in ast.parse(text).body:
        if isinstance(part, (ast.Import, ast.ImportFrom)) or getattr(part, "name", "") in LEFT_OUT:
            continue
        for node in ast.walk(part):
            found += [(node.lineno, node.col_offset, type(node).__name__, what) for what, _ in changes(node) if hasattr(node, "lineno")]
    random.Random(f"{name} {seed}").shuffle(found)
    made = []
    for line, column, kind, what in sorted(found[:count]):
        tree = ast.parse(text)
        old, new = next(
            (node, new) for node in ast.walk(tree)
            if type(node).__name__ == kind and (node.lineno, node.col_offset) == (line, column)
            for words, new in changes(node) if words == what)
        source = ast.unparse(ast.fix_missing_locations(Place(old, new).visit(tree)))
        made.append(Mutant(f"{line}:{column} {what}: {text.splitlines()[line - 1].strip()[:80]}", source))
    return made


def written(mutant, name, home):
    """The path of a mutant, with the files that it imports beside it."""
    for path in EXAMPLES.glob("*.py"):
        shutil.copy(path, home)
    path = pathlib.Path(home) / f"{name}.py"
    path.write_text(mutant.source)
    return str(path)
