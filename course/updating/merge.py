"""The three-way merge of one exercise: what the course changed and what the student wrote, in one file.

Lines are compared without their ends, so that an editor's or a system's choice of line ends is no change. Where both
sides changed the same lines, the student's stand.
"""

import ast
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from course.skeleton import lines_of, open_todos

Lines = Sequence[str]


@dataclass(frozen=True)
class Conflict:
    """A place that both sides changed; the student's lines were kept. line counts from 1 in the merged text."""

    line: int
    function: str | None  # the function or class around it


@dataclass(frozen=True)
class Merged:
    text: str
    conflicts: tuple[Conflict, ...]
    sound: bool  # False: do not use the text, an answer would be torn or the file would not parse


def merge(base: str, mine: str, new: str) -> Merged:
    """Bring the changes from base to new into mine.

    The line ends of mine are kept, and the lines that come from new get the kind that is usual in mine.
    """
    raw = lines_of(mine)
    ends = Counter(line[len(bare(line)) :] for line in raw if bare(line) != line)
    end = ends.most_common(1)[0][0] if ends else "\n"
    before, ours, theirs = ([bare(line) for line in lines_of(text)] for text in (base, mine, new))

    result: list[str] = []
    places: list[tuple[int, int]] = []  # of the conflicts, lines[begin:end] of the result
    z = a = b = 0
    for z0, z1, a0, a1, b0, b1 in agreements(before, ours, theirs):
        # Between two stretches in which all three agree lies one in which they do not.
        region, both = settle(
            before[z:z0], Side(ours[a:a0], raw[a:a0]), Side(theirs[b:b0], [x + end for x in theirs[b:b0]])
        )
        if both:
            places.append((len(result), len(result) + len(region)))
        result += region + raw[a0:a1]
        z, a, b = z1, a1, b1
    # Only the last line may lack its end.
    text = "".join([line if bare(line) != line else line + end for line in result[:-1]] + result[-1:])
    return Merged(text, locate(text, places), is_sound(base, mine, new, text))


def agreements(base: Lines, mine: Lines, new: Lines) -> Iterator[tuple[int, int, int, int, int, int]]:
    """The stretches in which all three agree: base[z0:z1] == mine[a0:a1] == new[b0:b1]; the last is empty, at the ends.

    The first half of the classical diff3 (Khanna, Kunal and Pierce, "A formal investigation of diff3", 2007).
    """
    ours, theirs = matching_blocks(base, mine), matching_blocks(base, new)
    i = j = 0
    while i < len(ours) and j < len(theirs):
        (z, a, n), (w, b, m) = ours[i], theirs[j]
        low, high = max(z, w), min(z + n, w + m)
        if low < high:
            yield low, high, a + low - z, a + high - z, b + low - w, b + high - w
        i, j = (i + 1, j) if z + n < w + m else (i, j + 1)
    yield len(base), len(base), len(mine), len(mine), len(new), len(new)


def matching_blocks(a: Lines, b: Lines) -> list[tuple[int, int, int]]:
    """(i, j, n) for each a[i:i+n] == b[j:j+n], and (len(a), len(b), 0) at the end.

    difflib, without its habit of ignoring frequent lines, and with one answer where several are right: a new function
    between two blank lines may be seen as "function, blank" or as "blank, function". Each insertion and deletion is put
    as far down as it goes. Otherwise the same one, made by both sides, could count as two.
    """
    before, *rest = [(i, j, n) for i, j, n in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()]
    done = []
    for after in rest:
        (i, j, n), (i2, j2, n2) = before, after
        # One of the two gaps is empty: then its neighbours may be shifted over the other one's lines.
        while n2 and ((i + n == i2 and b[j + n] == b[j2]) or (j + n == j2 and a[i + n] == a[i2])):
            n, i2, j2, n2 = n + 1, i2 + 1, j2 + 1, n2 - 1
        done.append((i, j, n))
        before = (i2, j2, n2)
    return [*done, before]


def bare(line: str) -> str:
    """A line without its end."""
    return line.rstrip("\r\n")


@dataclass(frozen=True)
class Side:
    """Some lines of one version: as they are compared, and as they are written."""

    bare: Lines
    raw: list[str]

    def part(self, begin: int, end: int) -> "Side":
        return Side(self.bare[begin:end], self.raw[begin:end])

    def __len__(self) -> int:
        return len(self.bare)


def settle(base: Lines, mine: Side, new: Side) -> tuple[list[str], bool]:
    """The lines for one region, and whether both changed it so that a choice was made (for the student's)."""
    if mine.bare == base:
        return new.raw, False
    if mine.bare == new.bare or nameless(new.bare) == nameless(base):
        return mine.raw, False
    # What both have done alike, at either end, is settled.
    head = alike(mine.bare, new.bare)
    tail = alike(mine.bare[head:][::-1], new.bare[head:][::-1])
    my_rest, new_rest = mine.part(head, len(mine) - tail), new.part(head, len(new) - tail)
    if is_old(new_rest, base, head, tail):
        return mine.raw, False
    if is_old(my_rest, base, head, tail):
        return new.raw, False
    middle = side_by_side(base, my_rest, new_rest) or in_turn(base, my_rest, new_rest, mine.raw[len(mine) - tail :])
    if middle is None:
        return mine.raw, True
    return mine.raw[:head] + middle + mine.raw[len(mine) - tail :], False


def nameless(lines: Lines) -> Lines:
    """The lines with their stubs all alike: a stub with another name is no news to somebody who has answered it."""
    return ["" if open_todos(line) else line for line in lines]


def alike(one: Lines, other: Lines) -> int:
    """How many lines two texts have in common at their beginning."""
    return next((i for i, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), min(len(one), len(other)))


def is_old(rest: Side, base: Lines, head: int, tail: int) -> bool:
    """Whether a side, without what the two sides have in common, has nothing that was not in base."""
    n = len(rest)
    return (
        rest.bare == base or (head > 0 and rest.bare == base[len(base) - n :]) or (tail > 0 and rest.bare == base[:n])
    )


def side_by_side(base: Lines, mine: Side, new: Side) -> list[str] | None:
    """Both changes, if one side changed the first lines of base and the other side only the lines that follow them."""
    for first, second in ((new, mine), (mine, new)):
        kept_head, kept_tail = alike(base, second.bare), alike(base[::-1], first.bare[::-1])
        if base and kept_head + kept_tail >= len(base):
            return first.raw[: len(first) - (len(base) - kept_head)] + second.raw[kept_head:]
    return None


def in_turn(base: Lines, mine: Side, new: Side, gap: list[str]) -> list[str] | None:
    """Both insertions one after the other, if each is a piece of a module that stands by itself, such as a function."""
    if base:
        return None
    my_names, new_names = (bound_names("\n".join(side.bare)) for side in (mine, new))
    if my_names is None or new_names is None or my_names & new_names:
        return None
    return mine.raw + (gap or ["\n", "\n"]) + new.raw


def bound_names(text: str) -> set[str] | None:
    """The names that a piece of code binds at module level, None if it is not code of that level."""
    tree = parse(text)
    if tree is None:
        return None
    top = {node.name for node in tree.body if isinstance(node, DEFINITIONS)}
    stores = {
        n.id for node in tree.body for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    return top | stores


DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def locate(text: str, places: list[tuple[int, int]]) -> tuple[Conflict, ...]:
    """The conflicts with the functions that they lie in."""
    tree = parse(text)
    found = []
    for begin, end in places:
        around = None
        for node in tree.body if tree else ():
            if isinstance(node, DEFINITIONS) and node.lineno <= max(end, begin + 1) and begin < (node.end_lineno or 0):
                around = node.name
                break
        found.append(Conflict(begin + 1, around))
    return tuple(found)


def is_sound(base: str, mine: str, new: str, merged: str) -> bool:
    """Whether a merged file parses and has each function that the student wrote in one piece.

    A line-by-line merge knows nothing of functions; where lines repeat, it could put an answer into the wrong one.
    A file that does not parse as it stands cannot be judged.
    """
    trees = [parse(text) for text in (base, mine, new, merged)]
    if trees[1] is None:
        return True
    if trees[3] is None:
        return False
    before, ours, theirs, result = (bodies(tree) for tree in trees)
    if any(len(found) > max(len(ours.get(name, ())), len(theirs.get(name, ()))) for name, found in result.items()):
        return False  # a function came twice
    for name, body in ours.items():
        if body == before.get(name) or theirs.get(name) not in (before.get(name), None):
            continue  # not the student's, or changed by both: then the lines decide
        # One that is gone from the new version was removed there, or renamed: then the answer has a new name too.
        gone = name in before and name not in theirs
        if body not in (result.values() if gone else [result.get(name)]):
            return False
    return True


def bodies(tree: ast.Module | None) -> dict[str, list[str]]:
    """What each function and method does, without docstring, comments and layout. A list, for a name may come twice."""
    found: dict[str, list[str]] = {}
    for node in tree.body if tree else ():
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for function in inner:
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                skip = ast.get_docstring(function) is not None
                dump = "\n".join(ast.dump(statement) for statement in function.body[skip:])
                found.setdefault(prefix + function.name, []).append(dump)
    return found


def parse(text: str) -> ast.Module | None:
    """The syntax tree of a text, None if it has none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of an odd escape in a string
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
