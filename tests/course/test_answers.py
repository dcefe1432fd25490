"""The door through which every answer goes before it is compared."""

import numpy as np
import pytest

from course.boundary import one_line, printable
from course.child.wire import Record
from course.testing import Wrong, agree, array, boolean, fields, number, text, wrong


@pytest.mark.parametrize("got", [1, 1.0, np.float32(1), np.int8(1), np.array(1.0)])
def test_one_number_in_any_dress_is_a_number(got):
    assert number(got, "f()") == 1.0 and type(number(got, "f()")) is float


@pytest.mark.parametrize(
    "got",
    [None, True, np.True_, "1", [1.0], (1.0,), np.array([1.0]), np.array([[1.0]]), np.array([]), {}, 1j, b"1"]
    + [float("nan"), float("inf"), np.float64("nan"), np.array(np.nan), 10**400, Record("R", x=1.0)],
)
def test_what_is_not_one_finite_number_is_wrong(got):
    with pytest.raises(Wrong, match="asked     f"):
        number(got, "f()")


@pytest.mark.parametrize("got", [[1, 2, 3], (1.0, 2.0, 3.0), np.array([1, 2, 3]), np.array([1, 2, 3], np.float32)])
def test_numbers_in_a_row_are_an_array(got):
    assert np.array_equal(array(got, (3,), "f()"), [1.0, 2.0, 3.0])
    assert array(got, (None,), "f()").dtype == np.float64


@pytest.mark.parametrize(
    "got",
    [
        None,
        1.0,
        "abc",
        [1, 2],
        [[1, 2, 3]],
        [1, [2], 3],
        np.zeros((3, 1)),
        np.zeros((1,)),
        np.zeros((0,)),
        np.array(1.0),
    ]
    + [["a", "b", "c"], [True, False, True], [1.0, np.nan, 2.0], np.array([1.0, np.inf, 0.0]), {1: 2}, [None] * 3]
    + [["x" * 1_000_000] + 9_000 * [""]],  # 36 GB as an array of texts
)
def test_what_has_another_shape_or_holes_is_wrong(got):
    with pytest.raises(Wrong, match="asked     f"):
        array(got, (3,), "f()")


def test_an_array_that_would_broadcast_does_not_agree():
    for got in (0.0, [0.0], np.zeros((1, 3)), np.zeros((3, 3))):
        with pytest.raises(Wrong):
            agree("f()", got, np.zeros(3), tol=1.0)


def test_the_message_says_what_was_asked_given_and_expected_and_the_slip():
    slips = {"the sign is backwards": -2.0, "degrees, not radians": np.rad2deg(2.0)}
    with pytest.raises(Wrong) as wrong:
        agree("f(x=2)", -2.0, 2.0, tol=1e-9, unit="N m", slips=slips)
    assert str(wrong.value).splitlines() == [
        "asked     f(x=2)",
        "answered  -2 N m",
        "expected  2 N m",
        "perhaps   the sign is backwards",
    ]
    with pytest.raises(Wrong) as wrong:
        agree("f(x=2)", 7.0, 2.0, tol=1e-9, slips=slips)
    assert "perhaps" not in str(wrong.value), "a slip that does not fit is not told"
    with pytest.raises(Wrong) as wrong:
        agree("f(x=2)", 2.0 + 1e-7, 2.0, tol=1e-9, slips={"the clip is missing": 2.0})
    assert "perhaps" not in str(wrong.value), "nor one that makes no difference here"


def test_a_small_difference_is_shown_with_enough_digits_and_its_place():
    with pytest.raises(Wrong, match=r"answered  2\.0000001 at \[1\]\nexpected  2 at \[1\]"):
        agree("f()", [1.0, 2.0000001], np.array([1.0, 2.0]), tol=1e-9)


def test_text_boolean_fields():
    assert text("motor", "f()", among=("motor",)) == "motor"
    assert boolean(np.True_, "f()") is True
    assert fields({"a": 1, "b": 2}, "f()", "a") == fields(Record("R", a=1), "f()", "a") == {"a": 1}
    for call in (
        lambda: text("moter", "f()", among=("motor",)),
        lambda: text(None, "f()"),
        lambda: boolean(1, "f()"),
        lambda: fields(None, "f()", "a"),
        lambda: fields({"b": 1}, "f()", "a"),
        lambda: fields([("a", 1)], "f()", "a"),
        lambda: number(10**5000, "f()"),
        lambda: wrong("f()", 10**5000, 1.0),
    ):
        with pytest.raises(Wrong):
            call()


def test_a_message_keeps_its_lines_whatever_the_answer_is_called():
    odd = {"\x1b[2J\nexpected  mine": 1, 10**5000: 2, **{f"k{i}": i for i in range(50_000)}}
    for got in (odd, Record("\x1b[2J\nexpected  mine" * 99, b=1)):
        with pytest.raises(Wrong) as problem:
            fields(got, "f()", "a")
        with pytest.raises(Wrong):
            number(got, "f()")
        rows = [line.split()[0] for line in str(problem.value).splitlines()]
        assert rows == ["asked", "answered", "expected", "perhaps"]
        assert "\x1b" not in str(problem.value) and len(str(problem.value)) < 1_000


def test_printable_leaves_nothing_that_a_terminal_obeys_or_a_file_refuses():
    assert printable("caf\u00e9 \u00b5 \u2212\t1\n") == "caf\u00e9 \u00b5 \u2212\t1\n"
    for odd in "\x1b\r\x07\0\x7f\x85\ud800\u2028\u2029\u202e\u200b\ufeff\ue000\U000e0041":
        assert printable(f"a{odd}b") == "a?b"
    assert one_line("one\n\n  two\n") == "one two" and one_line("asked     f()") == "asked     f()"
