"""Graded checks of module 09, the data set. The expected values come from loops over frames, trials and numbers."""

from collections import Counter

import numpy as np

from course.testing import agree, array, check, exercise, fields, text, wrong

ex = exercise("nad")

SHARES = ("train", "validation", "test")
TWIN = "_reference"
TOL = 1e-9  # of numbers up to 100, where right answers differ by 1e-13 at most

# split


def collection(rng, sizes, twins=()):
    """Tasks and trials of a data set in no order: sizes[task] trials of each task, and of each twin as many again."""
    both = [(task + end, trial) for task, size in sizes.items() for end in ("", TWIN) for trial in range(size)]
    both = [pair for pair in both if pair[0] in sizes or pair[0].removesuffix(TWIN) in twins]
    order = rng.permutation(len(both))
    return [both[i][0] for i in order], [both[i][1] for i in order]


def dealt(asked, tasks, trials, seed):
    """The answer as a dict {(task, trial): share}."""
    got = ex.split(tasks, trials, seed)
    if type(got) not in (list, tuple) or len(got) != len(tasks):
        kind = f"{len(got)} of them" if type(got) in (list, tuple) else "something else"
        wrong(asked, kind, f"a list of {len(tasks)} names", "one for each episode, in the order of the episodes")
    return {pair: text(share, asked, SHARES) for pair, share in zip(zip(tasks, trials, strict=True), got, strict=True)}


@check(todo="split", points=1)
def test_each_task_gives_its_share(rng):
    """Of each task a tenth of the trials for validation and a tenth for the test, at least one each."""
    # Names that have a beginning in common, or all but a few of the letters that TWIN is made of.
    for sizes in ({"push_x": 10, "push_y": 20, "lift": 10}, {"sweep": 3, "place": 19, "plane": 10}) * 3:
        tasks, trials = collection(rng, sizes)
        found = dealt(f"split() of {len(tasks)} episodes: {listed(sizes)}", tasks, trials, int(rng.integers(2**31)))
        for task, size in sizes.items():
            few = max(1, size // 10)
            expected = {"train": size - 2 * few, "validation": few, "test": few}
            count = Counter(share for (own, _), share in found.items() if own == task)
            if any(count[share] != expected[share] for share in SHARES):
                shown = [", ".join(f"{c[share]} {share}" for share in SHARES) for c in (count, expected)]
                whole = Counter(found.values())
                few = len(tasks) // 10
                over_all = whole["test"] == few and whole["validation"] == few
                both = [own for own in sizes if own[:2] == task[:2]]
                merged = len(both) == 2 and all(found[both[0], k] == found[both[1], k] for k in range(10))
                vary = len({sum(found[own, k] == "test" for k in range(10)) for own in sizes if sizes[own] == 10}) > 1
                why = "a tenth is rounded down, but is at least one" if count["test"] == count["validation"] else ""
                why = "each trial was drawn by itself: shuffle them, and then deal them out" if vary else why
                why = "over all episodes the shares are right, but not within each task" if over_all else why
                why = f"{' and '.join(both)} are two tasks: only the ending TWIN goes" if merged else why
                wrong(f"split(): what became of the {size} trials of {task}", *shown, why)


def listed(sizes):
    return ", ".join(f"{size} trials of {task}" for task, size in sizes.items())


@check(todo="split", points=2)
def test_the_same_commands_stay_together(rng):
    """A push and its reference, which repeats the commands, are both learned from or both kept apart."""
    sizes = {"push": 10, "circle": 20, "press": 20}
    for _ in range(3):
        tasks, trials = collection(rng, sizes, twins=("push", "press"))
        asked = f"split() of {len(tasks)} episodes: {listed(sizes)}, and the references of push and press"
        found = dealt(asked, tasks, trials, int(rng.integers(2**31)))
        for task in ("push", "press"):
            for trial in range(sizes[task]):
                pair = found[task, trial], found[task + TWIN, trial]
                if pair[0] != pair[1]:
                    why = "whoever has seen one of them knows the commands of the other"
                    got = f"{task} {trial}: {pair[0]}; {task}{TWIN} {trial}: {pair[1]}"
                    wrong(asked, got, "both the same", why)
            for name in (task, task + TWIN):
                count = Counter(share for (own, _), share in found.items() if own == name)
                if count["test"] != sizes[task] // 10:
                    got, size = f"{count['test']} of {sizes[task]} in the test", sizes[task] // 10
                    # Where a task without a twin has its own share, the twins are to blame.
                    circle, press = ([found[own, k] for k in range(20)] for own in ("circle", "press"))
                    own = circle.count("test") == 2 and circle != press
                    why = "deal what led them, each once" if own else "each task deals out its own trials"
                    wrong(f"{asked}: the trials of {name}", got, f"{size}", why)


@check(todo="split", points=1)
def test_is_drawn_once_and_for_all(rng):
    """The seed decides alone: not the order of the episodes, and not your habits."""
    tasks, trials = collection(rng, {"circle": 10, "lift": 10, "sweep": 20, "push": 10}, twins=("lift",))
    asked = f"split() of {len(tasks)} episodes"
    kept = set()
    for seed in rng.integers(2**31, size=20).tolist():
        found = dealt(f"{asked}, seed={seed}", tasks, trials, seed)
        kept |= {trial for (task, trial), share in found.items() if task == "circle" and share == "test"}
    again = dealt(f"{asked}, seed={seed}", tasks, trials, seed)
    if again != found:
        why = "draw from np.random.default_rng(seed), and from nothing else"
        wrong(f"{asked}, twice with seed={seed}", "two answers", "the same answer", why)
    # So many tasks that a set of their names has another order when they come in another.
    for name in "abcd":
        tasks, trials = collection(rng, {f"{name}{k}": 10 for k in range(18)})
        asked = f"split() of {len(tasks)} episodes"
        found = dealt(f"{asked}, seed={seed}", tasks, trials, seed)
        order = rng.permutation(len(tasks))
        turned = dealt(f"{asked}, shuffled, seed={seed}", [tasks[i] for i in order], [trials[i] for i in order], seed)
        if turned != found:
            why = "a set, or the order of the episodes, decides what is drawn for what: sort tasks and trials first"
            wrong(f"{asked}, shuffled, seed={seed}", "another share for some of them", "the same share for each", why)
    if len(kept) < 4:
        why = "the last trials of a day are not like the others: shuffle the trials with the generator"
        got = f"trial {' or '.join(map(str, sorted(kept)))} every time"
        wrong("split(), 20 seeds: which trial of circle is the test's", got, "all kinds of trials", why)


# windows


def runs(x, length):
    """Every run of neighbouring rows, by a loop."""
    return np.array([x[first : first + length] for first in range(len(x) - length + 1)]).reshape(-1, length, x.shape[1])


def compare(asked, got, expected, shapes, slips):
    """As agree(), but a wrong shape has its reasons too: shapes maps a shape to what leads to it."""
    try:
        shape = np.shape(got)
    except ValueError:  # rows of unequal length, which agree() has words for
        shape = None
    if shape != expected.shape and shape in shapes:
        wrong(asked, f"shape {shape}", f"shape {expected.shape}", shapes[shape])
    agree(asked, got, expected, TOL, slips=slips)


@check(todo="windows", points=1)
def test_every_run_of_one_episode(rng):
    """Windows of one episode, the oldest frame first."""
    for length in (9, 4, int(rng.integers(5, 8))):
        frames, columns = int(rng.integers(max(length, 9) + 3, 25)), length if length == 4 else 3
        x = rng.normal(size=(frames, columns))
        expected = runs(x, length)
        many = len(expected)
        asked = f"windows(x, {length}) of {frames} frames with {columns} columns"
        shapes = {
            (many - 1, length, columns): f"one is missing: the last window ends with frame {frames - 1}, the last one",
            (many + 1, length, columns): "one too many: a window must end where the frames end",
            (many, columns, length): "sliding_window_view puts the time last; swap the last two axes",
            (many, length * columns): "one window is a table: a token in each row",
            (frames - 8, 9, columns): "as many tokens as length says: length, not LENGTH",
            (frames // length, length, columns): "windows overlap: each frame is the last one of a window",
            (frames, length, columns): f"the first {length - 1} frames have too short a past: no window ends with them",
        }
        slips = {
            "the oldest frame comes first, the present one last": expected[:, ::-1],
            "tokens and columns are swapped: sliding_window_view puts the time last": expected.swapaxes(1, 2),
            "reshape deals the numbers out anew; swapaxes is what you want": expected.swapaxes(1, 2).reshape(
                expected.shape
            ),
            "the windows are in reverse order": expected[::-1],
        }
        compare(asked, ex.windows(x, length), expected, shapes, slips)


@check(todo="windows", points=2)
def test_none_crosses_an_episode(rng):
    """Several episodes one below the other, some of them shorter than a window."""
    for _ in range(3):
        length = int(rng.integers(3, 6))
        sizes = [*rng.integers(length, 12, 2), 1, length - 1, length, *rng.integers(length, 12, 2)]
        numbers = rng.permutation(50)[: len(sizes)]  # of episodes: neither from 0, nor in order
        episode = np.repeat(numbers, sizes)
        x = rng.normal(size=(len(episode), 3))
        expected = np.concatenate([runs(x[episode == number], length) for number in numbers])
        asked = f"windows(x, {length}, episode) of episodes with {', '.join(map(str, sizes))} frames"
        over = len(runs(x, length))
        shapes = {
            (over, length, 3): f"{over - len(expected)} of these windows begin in one episode and end in the next",
            (over - 1, length, 3): "some begin in one episode and end in the next, and the last one is missing",
            (len(expected) - sum(size >= length for size in sizes), length, 3): "each episode lacks its last window",
        }
        some = "some windows hold frames of two episodes: look at the first frame and at the last"
        shapes |= {(n, length, 3): some for n in range(len(expected) + 1, over - 1)}
        other = np.concatenate([runs(x[episode == number], length) for number in sorted(numbers)])
        slips = {"the episodes come in another order than they stand in x": other}
        compare(asked, ex.windows(x, length, episode), expected, shapes, slips)


@check(todo="windows", points=1)
def test_too_short_for_a_window(rng):
    """An episode that is shorter than a window gives none; one of just its length gives one."""
    for length in (9, int(rng.integers(3, 8))):
        for frames in (length - 1, length, 2):
            x = rng.normal(size=(frames, 4))
            expected = runs(x, length)
            asked = f"windows(x, {length}) of {frames} frames with 4 columns"
            shapes = {(0,): "no window is still an array with three axes: (0, length, columns)"}
            shapes[(0, length, 4)] = "as many frames as a window has make one window"
            shapes[(1, frames, 4)] = "a window with fewer frames is none: the network needs all its tokens"
            compare(asked, ex.windows(x, length), expected, shapes, {})


# normalise


def statistics(asked, got, columns):
    """mean and scale of an answer."""
    if type(got) in (tuple, list, dict):
        wrong(asked, f"a {type(got).__name__}", "a Statistics", "return Statistics(mean, scale)")
    found = fields(got, asked, "mean", "scale")
    for name, values in found.items():
        if getattr(values, "shape", None) == () or isinstance(values, float):
            wrong(f"{asked}: {name}", "one number", f"{columns} numbers", "each column has its own: axis=0")
        if getattr(values, "ndim", 0) == 1 and len(values) not in (0, columns):
            wrong(
                f"{asked}: {name}",
                f"{len(values)} numbers",
                f"{columns}, one for each column",
                "axis=0 goes down a column",
            )
    return found["mean"], found["scale"]


@check(todo="normalise", points=1)
def test_mean_and_scale_of_the_training_rows(rng):
    """Columns of very different size; the rows that are not for training lie elsewhere."""
    for share in (0.6, 0.3, None):
        frames, columns = 40, 4
        size = 10.0 ** rng.uniform(-4, 2, columns)
        train = np.ones(frames, bool) if share is None else rng.permutation(frames) < share * frames
        x = (rng.normal(size=(frames, columns)) + rng.normal(0, 3, columns) + 5.0 * ~train[:, None]) * size
        seen, rest = x[train].T.tolist(), x[~train].T.tolist()
        mean = np.array([sum(column) / len(column) for column in seen])
        scale = np.array(
            [(sum((v - m) ** 2 for v in column) / len(column)) ** 0.5 for column, m in zip(seen, mean, strict=True)]
        )
        asked = "normalise(x)" if share is None else f"normalise(x, train) with {train.sum()} of {frames} rows to train"
        got = statistics(asked, ex.normalise(x) if share is None else ex.normalise(x, train), columns)
        slips = {
            "all rows are in it, those of the test too": x.mean(axis=0),
            "mean and scale are exchanged": scale,
            "train says which rows, not how many of the first": x[: train.sum()].mean(axis=0),
        }
        spread = {
            "all rows are in it, those of the test too": x.std(axis=0),
            "this is the variance; the scale is its root": scale**2,
            "this divides by n - 1; divide by n": scale * (len(seen[0]) / (len(seen[0]) - 1)) ** 0.5,
            "this is the range, from the smallest to the largest": np.ptp(x[train], axis=0),
        }
        if share is not None:
            slips["rows that do not count are zeros here, and still count"] = (x * train[:, None]).mean(axis=0)
            slips["these are the rows that are not for training"] = np.mean(rest, axis=1)
            spread["these are the rows that are not for training"] = np.std(rest, axis=1)
        # Relative to each column's size, so that a small one counts as much as a large one.
        for name, value, expected, reasons in zip(("mean", "scale"), got, (mean, scale), (slips, spread), strict=True):
            value = array(value, (columns,), f"{asked}: {name}")
            near = {why: slip / size for why, slip in reasons.items()}
            agree(f"{asked}: {name} in units of each column's size", value / size, expected / size, 1e-7, slips=near)


@check(todo="normalise", points=2)
def test_columns_that_stand_still(rng):
    """A column that never changes in training keeps its unit, and one that hardly changes gets its own scale."""
    for _ in range(3):
        frames, train = 50, np.arange(50) < 37
        x = rng.normal(size=(frames, 4))
        # Equal numbers whose standard deviation comes out as 1e-15 or so, because their mean is rounded.
        x[:, 1] = next(v for v in rng.uniform(25, 35, 1000) if np.full(37, v).std() > 0)
        x[:, 2] = 12.0
        x[~train, 2] = 11.5
        x[:, 3] = 2.0 + 1e-9 * rng.normal(size=frames)
        asked = "normalise(x, train) where columns 1 and 2 never change in training"
        mean, scale = statistics(asked, ex.normalise(x, train), 4)
        expected = np.array([x[train, 0].std(), 1.0, 1.0, x[train, 3].std()])
        scale = array(scale, (4,), f"{asked}: scale")
        for column in (1, 2):
            value = float(scale[column])
            if abs(value) < 1e-3:
                held = f"column {column} is {x[0, column]:.4g} in every row to train"
                why = "a scale of 0 divides by zero, and a tiny one makes millions of a test that differs by a little"
                if column == 1 and abs(scale[2] - 1) < TOL:
                    why = "std() of equal numbers is not exactly 0, because their mean is rounded; ask np.ptp"
                wrong(f"{asked}; {held}", f"a scale of {value:.3g}", "1", why)
        if abs(scale[3] - expected[3]) > 1e-3 * expected[3]:
            as_constant = abs(scale[3] - 1) < TOL
            why = "it changes, so it is no constant, however little it changes" if as_constant else ""
            wrong(f"{asked}; column 3 changes by 1e-9", f"a scale of {scale[3]:.3g}", f"{expected[3]:.3g}", why)
        seen = x[train]
        moves = np.array([x[train, 0].std(), 1.0, x[:, 2].std(), x[train, 3].std()])
        slips = {"column 2 moves in the test only, and that must not count": moves}
        agree(f"{asked}: scale", scale, expected, TOL, slips=slips)
        middle = np.array([sum(c) / len(c) for c in seen.T.tolist()])
        slips = {"a column that stands still has a mean too: the value at which it stands": middle * [1, 0, 0, 1]}
        agree(f"{asked}: mean", mean, middle, TOL, slips=slips)


# labels


def told(asked, got, frames):
    """force, gate and mask of an answer; bools are as good as 0.0 and 1.0."""
    if type(got) in (tuple, list, dict):
        wrong(asked, f"a {type(got).__name__}", "a Labels", "return Labels(force, gate, mask)")
    found = fields(got, asked, "force", "gate", "mask")
    for name in ("gate", "mask"):
        values = found[name]
        if isinstance(values, (bool, np.bool_, float)) or np.shape(values) == (3,):
            why = "one for each frame; the length of each row takes axis=1"
            wrong(f"{asked}: {name}", str(values), f"{frames} numbers", why)
        if isinstance(values, list) and all(isinstance(value, (bool, np.bool_)) for value in values):
            values = np.array(values)
        if isinstance(values, np.ndarray) and values.dtype.kind == "b":
            found[name] = values.astype(float)
        shape = getattr(values, "shape", None)
        if shape == (frames, 3):
            wrong(f"{asked}: {name}", f"shape {shape}", f"shape ({frames},)", "one for each frame, not for each axis")
    shape = getattr(found["force"], "shape", None)
    if shape == (frames - 1, 3):
        wrong(f"{asked}: force", f"shape {shape}", f"shape ({frames}, 3)", "the last frame has a row too, of zeros")
    if isinstance(found["force"], np.ndarray) and found["force"].dtype.kind == "f" and np.isnan(found["force"]).any():
        why = "NaN times zero is NaN: choose with np.where, which leaves out what is not chosen"
        wrong(f"{asked}: force", "NaN where the label is not valid", "zeros there", why)
    return found


def expected_labels(force, valid):
    """Frame by frame."""
    frames = len(force)
    known = [t + 1 < frames and bool(valid[t + 1]) for t in range(frames)]
    later = np.array([force[t + 1] if known[t] else np.zeros(3) for t in range(frames)])
    gate = np.array([float(sum(f * f for f in row) ** 0.5 > 0.01) for row in later])
    return later, gate, np.array(known, float)


@check(todo="labels", points=1)
def test_the_force_of_the_next_frame(rng):
    """Every label is valid; forces of a few newtons, some frames without."""
    for _ in range(3):
        frames = int(rng.integers(8, 15))
        force = rng.normal(0, 3, (frames, 3)) * (rng.random((frames, 1)) < 0.6)
        force[[0, -1]] = rng.normal(0, 3, (2, 3))
        later, gate, mask = expected_labels(force, np.ones(frames, bool))
        asked = f"labels(force, all valid) of {frames} frames"
        found = told(asked, ex.labels(force, np.ones(frames, bool)), frames)
        slips = {
            "this is the force at t; the step that begins at t ends at t + 1": force,
            "this is the force at t, without the last": np.vstack([force[:-1], np.zeros(3)]),
            "this is the force at t - 1: the shift goes the other way": np.vstack([np.zeros(3), force[:-1]]),
            "this is the force at t - 1, round the corner: the shift goes the other way": np.roll(force, 1, axis=0),
            "the last row holds the first frame's force: np.roll goes round": np.roll(force, -1, axis=0),
            "without axis=0 np.roll shifts by a number, not by a row": np.roll(force, -1) * mask[:, None],
            "the last row repeats the last force, which nobody measured a frame later": np.vstack(
                [force[1:], force[-1:]]
            ),
        }
        agree(f"{asked}: force", found["force"], later, TOL, "N", slips)
        known = {
            "nobody knows the force after the last frame": np.ones(frames),
            "the mask is where a force is, or gate and mask are exchanged; a known zero is a label too": gate,
        }
        agree(f"{asked}: mask", found["mask"], mask, TOL, slips=known)


@check(todo="labels", points=2)
def test_what_is_not_known(rng):
    """Where force_valid is false stands anything: a force, a number that means "missing", NaN."""
    for missing in (7.0, -999.0, np.nan):
        frames = int(rng.integers(12, 20))
        force = rng.normal(0, 3, (frames, 3))
        valid = rng.random(frames) < 0.6
        valid[[0, 1, 2]] = True, False, True  # so that a mask of the wrong frame is another one
        valid[-1] = True
        force[~valid] = missing
        later, gate, mask = expected_labels(force, valid)
        asked = f"labels(force, force_valid), where {(~valid).sum()} frames are not valid and hold {missing:g} N"
        found = told(asked, ex.labels(force, valid), frames)
        shifted = np.append(valid[1:], True).astype(float)
        slips = {
            "this is force_valid at t; the label is that of t + 1": valid.astype(float),
            "this is force_valid at t, with 0 at the end": np.append(valid[:-1], 0.0),
            "nobody knows the force after the last frame": shifted,
            "the mask is 1 where the label may be used": 1 - mask,
            "the mask is where a force is; a known zero is a label too": gate,
            "it says 1 everywhere but in the last frame: ask force_valid": np.append(np.ones(frames - 1), 0.0),
        }
        agree(f"{asked}: mask", found["mask"], mask, TOL, slips=slips)
        unmasked = np.vstack([force[1:], np.zeros(3)])
        slips = {"what is not valid must not come through": unmasked} if np.isfinite(missing) else {}
        agree(f"{asked}: force", found["force"], later, TOL, "N", slips)
        slips = {"the gate is 0 where the label is not known": np.maximum(gate, 1 - mask)}
        agree(f"{asked}: gate", found["gate"], gate, TOL, slips=slips)


@check(todo="labels", points=1)
def test_a_contact_is_longer_than_its_threshold(rng):
    """Forces just above and just below 0.01 N, in all directions."""
    for _ in range(3):
        frames = 30
        direction = rng.normal(size=(frames, 3))
        direction[:4] = [[0, 0, -1], [-1, 0, 0], [0.6, -0.6, 0.529], [-0.58, -0.58, -0.573]]
        direction /= np.linalg.norm(direction, axis=1)[:, None]
        length = np.where(rng.random(frames) < 0.5, 0.006, 0.014)
        length[:4] = 0.014
        force = rng.permutation(direction * length[:, None])
        force[rng.integers(2, frames)] = 0.0
        later, gate, _ = expected_labels(force, np.ones(frames, bool))
        asked = "labels(force, all valid) with forces between 0 and 0.02 N"
        found = told(asked, ex.labels(force, np.ones(frames, bool)), frames)
        slips = {
            "a force of 0.006 N is no contact: the threshold is CONTACT": np.any(later != 0, axis=1),
            "its components may all be small while the force is not: take the length of the vector": np.any(
                np.abs(later) > 0.01, axis=1
            ),
            "one component alone says nothing about the others: take the length of the vector": np.abs(later[:, 2])
            > 0.01,
            "components of different sign cancel in a sum: take the length of the vector": later.sum(axis=1) > 0.01,
            "this is the sum of the components' sizes: take the length of the vector": np.abs(later).sum(axis=1) > 0.01,
            "this asks the square of the length, or a threshold in other units": np.zeros(frames),
            "this is the contact at t; the label is that of t + 1": np.linalg.norm(force, axis=1) > 0.01,
            "0 and 1 are swapped": 1 - gate,
        }
        agree(f"{asked}: gate", found["gate"], gate, TOL, slips=slips)
