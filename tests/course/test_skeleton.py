"""Skeletons: what is cut from a solution, what is left, and which markers are refused."""

import ast

import pytest
from tiny import FALL

from course.skeleton import answer, blocks, lines_of, open_todos, replace, skeleton


def test_each_answer_becomes_one_stub_and_nothing_else_changes():
    before, after = FALL.splitlines(), skeleton(FALL).splitlines()
    assert [line for line in after if line not in before] == [
        '    raise NotImplementedError("TODO(you): speed")',
        '    raise NotImplementedError("TODO(you): path")',
    ]
    assert not any("SOLUTION" in line or "GRAVITY * time" in line for line in after)
    assert [line for line in before if line in after] == [line for line in after if line in before]
    ast.parse(skeleton(FALL))


def test_the_blocks_say_which_function_they_answer():
    lines = FALL.splitlines()
    assert [(b.todo, lines[b.begin].strip(), lines[b.end - 1].strip()) for b in blocks(FALL)] == [
        ("speed", "### BEGIN SOLUTION", "### END SOLUTION"),
        ("path", "### BEGIN SOLUTION", "### END SOLUTION"),
    ]


def test_a_helper_inside_does_not_take_the_name_of_the_function():
    solution = FALL.replace(
        "    # TODO(you): the mean", "    def twice(x):\n        return 2 * x\n\n    # TODO(you): the mean"
    )
    assert [b.todo for b in blocks(solution)] == ["speed", "path"]


def test_a_method_is_a_todo_by_its_own_name():
    solution = (
        "class Servo:\n    def pull(self):\n        ### BEGIN SOLUTION\n        return 1\n        ### END SOLUTION\n"
    )
    assert skeleton(solution).endswith('        raise NotImplementedError("TODO(you): pull")\n')


def test_answers_can_be_read_and_put_in():
    assert answer(FALL, "speed") == "    return GRAVITY * time\n"
    changed = replace(FALL, {"speed": "    return 0.0\n"})
    assert "return 0.0" in changed and "### BEGIN" in changed and "mean = speed" in changed


def test_open_todos_have_the_line_that_an_editor_shows():
    text = '"""A page\x0cbreak and a \u2028 separator."""\n' + skeleton(FALL)
    lines = text.split("\n")
    assert {name: lines[line - 1].strip() for name, line in open_todos(text).items()} == {
        "speed": 'raise NotImplementedError("TODO(you): speed")',
        "path": 'raise NotImplementedError("TODO(you): path")',
    }


def test_a_stub_in_a_comment_is_not_open():
    assert open_todos('    # raise NotImplementedError("TODO(you): speed")\n') == {}


@pytest.mark.parametrize("text", ["", "a", "a\n", "a\r\nb", "a\rb\r", "\n\n", "a\n\r\n"])
def test_lines_are_a_partition_of_the_text(text):
    assert "".join(lines_of(text)) == text
    assert [line.rstrip("\r\n") for line in lines_of(text)] == text.splitlines()


@pytest.mark.parametrize(
    ("solution", "complaint"),
    [
        ("def f():\n    ### BEGIN SOLUTION\n    return 1\n", "line 2: ### BEGIN SOLUTION without ### END SOLUTION"),
        ("def f():\n    return 1\n    ### END SOLUTION\n", "line 3: ### END SOLUTION without ### BEGIN SOLUTION"),
        ("### BEGIN SOLUTION\nx = 1\n### END SOLUTION\n", "line 1: .* outside a function"),
        ("def f():\n    return 1\n\n### BEGIN SOLUTION\nx = 1\n### END SOLUTION\n", "line 4: .* outside a function"),
        (FALL.replace("    mean = ", "    ### BEGIN SOLUTION\n    mean = "), "BEGIN SOLUTION without an ### END"),
        (
            FALL.replace("    mean = ", "    ### END SOLUTION\n    ### BEGIN SOLUTION\n    mean = "),
            "a second .* in path",
        ),
    ],
)
def test_wrong_markers_are_named_with_their_line(solution, complaint):
    with pytest.raises(ValueError, match=complaint):
        blocks(solution)
