"""The three-way merge of one exercise: both sides' work in one file, and the student's wherever they meet."""

import ast
import random
from collections import Counter

import pytest
from tiny import ANSWERS, FALL, LEFT, half_done

from course.skeleton import lines_of, open_todos, replace, skeleton
from course.updating.merge import bare, merge

BASE = skeleton(FALL)
DONE = replace(FALL, ANSWERS)


def upstream(*changes):
    """The skeleton of a new version."""
    new = BASE
    for old, now in changes:
        assert old in new
        new = new.replace(old, now)
    return new


def merged(mine, new, base=BASE):
    """The merged text, where no conflict is expected."""
    result = merge(base, mine, new)
    assert result.sound and not result.conflicts
    return result.text


def test_what_only_the_course_changed_is_taken():
    new = upstream(
        ("9.81", "9.80665"), ('"""A ball falls."""', '"""A ball falls, slowly."""'), ("print(np", "print('m', np")
    )
    text = merged(DONE, new)
    assert text == replace(FALL, ANSWERS).replace("9.81", "9.80665").replace("falls.", "falls, slowly.").replace(
        "print(np", "print('m', np"
    )


def test_what_only_the_student_changed_is_kept():
    assert merged(DONE + "\n# a note\n", BASE) == DONE + "\n# a note\n"


def test_an_untouched_file_becomes_the_new_one():
    new = upstream(("9.81", "9.80665"), ("def path", "def way"))
    assert merged(BASE, new) == new


def test_the_comment_right_above_an_answer_is_renewed():
    text = merged(half_done(), upstream(("what does gravity do in one second?", "gravity changes the speed.")))
    assert "# TODO(you): gravity changes the speed.\n    g = GRAVITY  # mine\n" in text


def test_a_line_right_below_an_answer_is_renewed():
    base = BASE + "\n\ndef last():\n    raise NotImplementedError('x')\n    # end\n"
    mine = base.replace("    raise NotImplementedError('x')\n", "    return 1  # mine\n")
    assert merged(mine, base.replace("# end", "# the end"), base).endswith("    return 1  # mine\n    # the end\n")


def test_given_code_put_in_before_the_stub_comes_before_the_answer():
    stub = '    raise NotImplementedError("TODO(you): speed")\n'
    text = merged(half_done(), upstream((stub, "    time = abs(time)\n" + stub)))
    assert "    time = abs(time)\n    g = GRAVITY  # mine\n" in text


def test_a_new_todo_arrives_as_a_stub():
    function = '\n\ndef energy(m):\n    # TODO(you): m g h.\n    raise NotImplementedError("TODO(you): energy")\n'
    text = merged(half_done(), upstream(("\n\ndef main", function + "\n\ndef main")))
    assert set(open_todos(text)) == {"path", "energy"} and "g = GRAVITY  # mine" in text


def test_a_renamed_todo_keeps_the_answer_under_its_new_name():
    new = upstream(
        ("def speed", "def velocity"), ("TODO(you): speed", "TODO(you): velocity"), ("speed(1)", "velocity(1)")
    )
    text = merged(half_done(), new)
    assert "def velocity" in text and "def speed" not in text and "return g * time" in text
    renamed = upstream(("def path", "def way"), ("TODO(you): path", "TODO(you): way"))
    assert set(open_todos(merged(half_done(), renamed))) == {"way"}


def test_a_removed_todo_keeps_the_answer_and_says_so():
    begin, end = BASE.index("def speed"), BASE.index("def path")
    result = merge(BASE, DONE, BASE[:begin] + BASE[end:])
    assert result.sound and result.text == DONE
    assert [conflict.function for conflict in result.conflicts] == ["speed"]


def test_where_both_changed_the_student_stands_and_the_place_is_named():
    mine = half_done().replace("9.81", "1.62")
    result = merge(BASE, mine, upstream(("9.81", "9.80665"), ("A ball", "A stone")))
    assert result.sound and result.text == mine.replace("A ball", "A stone")
    (conflict,) = result.conflicts
    assert conflict.function is None and "1.62" in lines_of(result.text)[conflict.line - 1]

    stub = 'raise NotImplementedError("TODO(you): speed")'
    result = merge(BASE, mine, upstream((stub, "return NotImplemented")))
    (conflict,) = result.conflicts
    assert conflict.function == "speed" and "g = GRAVITY" in lines_of(result.text)[conflict.line - 1]
    assert result.text == mine


def test_two_new_functions_in_one_place_both_stay():
    mine = half_done().replace("\n\ndef main", "\n\ndef helper():\n    return 1\n\n\ndef main")
    text = merged(mine, upstream(("\n\ndef main", "\n\ndef energy():\n    return 2\n\n\ndef main")))
    assert "def helper():\n    return 1\n\n\ndef energy():\n    return 2\n\n\ndef main" in text


def test_two_new_functions_of_one_name_are_a_conflict():
    mine = half_done().replace("\n\ndef main", "\n\ndef energy():\n    return 1\n\n\ndef main")
    result = merge(BASE, mine, upstream(("\n\ndef main", "\n\ndef energy():\n    return 2\n\n\ndef main")))
    assert [conflict.function for conflict in result.conflicts] == ["energy"] and result.text == mine


def test_the_same_change_on_both_sides_is_no_conflict():
    new = upstream(("9.81", "9.80665"))
    assert merged(half_done().replace("9.81", "9.80665"), new) == half_done().replace("9.81", "9.80665")
    # A correction that the student has copied by hand, next to the answer.
    new = upstream(("what does gravity do in one second?", "better."))
    mine = half_done().replace("what does gravity do in one second?", "better.")
    assert merged(mine, new) == mine


def test_windows_line_ends_stay():
    mine = half_done().replace("\n", "\r\n")
    text = merged(
        mine, upstream(("9.81", "9.80665"), ("\n\ndef main", "\n\ndef energy():\n    return 2\n\n\ndef main"))
    )
    assert text.count("\r\n") == text.count("\n") and "9.80665" in text and "def energy():\r\n" in text
    assert merged(BASE.replace("\n", "\r\n"), BASE) == BASE.replace("\n", "\r\n")


def test_mixed_line_ends_stay_as_they_are():
    mine = half_done().replace("    g = GRAVITY  # mine\n", "    g = GRAVITY  # mine\r\n")
    text = merged(mine, upstream(("9.81", "9.80665")))
    assert text == mine.replace("9.81", "9.80665")


def test_a_missing_last_newline_is_no_change():
    mine = half_done().removesuffix("\n")
    assert merged(mine, upstream(("9.81", "9.80665"))) == mine.replace("9.81", "9.80665")
    longer = BASE + "\nmore = 1\n"
    assert merged(mine, longer) == half_done() + "\nmore = 1\n"


def test_unicode_and_odd_separators_pass():
    mine = half_done().replace("# mine", "# Zürich \N{SNOWMAN} \x0c \u2028 \x85 end")
    assert merged(mine, upstream(("9.81", "9.80665"))) == mine.replace("9.81", "9.80665")


def test_a_file_that_does_not_parse_is_merged_line_by_line():
    mine = half_done() + "def (\n"
    assert merged(mine, upstream(("9.81", "9.80665"))) == mine.replace("9.81", "9.80665")


def test_a_merge_that_would_not_parse_is_not_sound():
    assert not merge(BASE, half_done(), upstream(("GRAVITY = 9.81", "GRAVITY = (9.81"))).sound
    new = upstream(('    """Speed after a time in s, in m/s."""', '    """Speed.'))  # an open string
    assert not merge(BASE, half_done(), new).sound


def test_an_answer_that_would_land_in_another_function_is_not_sound():
    # Two functions whose lines are all alike: only their order tells which is which.
    body = '    """The same."""\n    # TODO(you): think.\n    raise NotImplementedError("TODO(you): {0}")\n\n\n'
    one, two = ("def {0}(x):\n" + body).format("one"), ("def {0}(x):\n" + body).format("two")
    base, mine = one + two, one + two.replace('raise NotImplementedError("TODO(you): two")', "return 2  # mine")
    result = merge(base, mine, two + one)
    if result.sound:
        functions = {node.name: ast.unparse(node) for node in ast.parse(result.text).body}
        assert "return 2" in functions["two"] and "return 2" not in functions["one"]


def edited(rng, text, tag):
    """A text with a few random changes, each of them marked."""
    lines = lines_of(text)
    for _ in range(rng.randint(1, 4)):
        i, mark = rng.randrange(len(lines)), f"{tag} {rng.randrange(10**9)}"
        kind = rng.choice(["change", "insert", "delete", "function", "reorder"])
        if kind == "change":
            lines[i] = f"{bare(lines[i])}  # {mark}\n"
        elif kind == "insert":
            lines.insert(i, f"# {mark}\n")
        elif kind == "delete":
            del lines[i : i + rng.randint(1, 3)]
        elif kind == "function":
            lines.insert(i, f"\n\ndef {tag}_{rng.randrange(10**9)}():  # {mark}\n    return 1\n\n\n")
        else:
            lines[i:] = lines[i + 3 :] + lines[i : i + 3]
    return "".join(lines)


@pytest.mark.parametrize("seed", range(5))
def test_no_line_of_the_student_is_lost_whatever_both_change(seed):
    rng = random.Random(seed)
    used = 0
    for _ in range(60):
        answers = {
            name: rng.choice([ANSWERS[name], f'    raise NotImplementedError("TODO(you): {name}")\n'])
            for name in ANSWERS
        }
        mine = edited(rng, replace(FALL, answers), "mine")
        new = edited(rng, BASE, "new")
        end = rng.choice(["\n", "\r\n"])
        result = merge(BASE, mine.replace("\n", end), new)
        assert ("\r\n" in result.text) == (end == "\r\n")
        old, written, kept = (Counter(map(bare, lines_of(text))) for text in (BASE, mine, result.text))
        assert not (written - old) - kept, "a line of the student is gone"
        if result.sound:
            used += 1
            assert not parses(mine) or parses(result.text)
    assert used > 20


def parses(text):
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def test_an_answer_survives_a_year_of_updates():
    rng = random.Random(7)
    base, mine = BASE, half_done()
    for week in range(30):
        spot = rng.choice(['"""A ball falls', "# m/s2", "def main():\n", "what does gravity do", "the mean speed"])
        assert spot in base
        new = base.replace(spot, spot + (f" {week}" if "\n" not in spot else f"    # {week}\n"), 1)
        result = merge(base, mine, new)
        assert result.sound and not result.conflicts
        base, mine = new, result.text
    assert mine == base.replace('    raise NotImplementedError("TODO(you): speed")\n', ANSWERS["speed"])
    assert LEFT["path"] in mine
