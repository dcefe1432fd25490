"""Graded checks of module 05, the servo on the desk.

Blocks are packed bit by bit from counts drawn at random, logs are built backwards from the law that they obey, and
regressions are compared with covariances and normal equations.
"""

import numpy as np

from course.testing import agree, array, boolean, check, exercise, fields, number, wrong

ex = exercise("servo")

TICK = 2 * np.pi / 4096  # rad
UNITS = {"q": "rad", "qd": "rad/s", "duty": "", "voltage": "V", "temperature": "degrees C", "current": "A"}
PLACE = {"q": 0, "qd": 2, "duty": 4, "current": 13}  # of the low byte, counted from register 56
BIT = {"q": 15, "qd": 15, "duty": 10, "current": 15}


# decode


def block_of(rng, signs, status=None):
    """A block with random counts of these signs, and the counts. Bytes that nobody asks for hold random numbers."""
    highest = {"q": 4000, "qd": 3400, "duty": 1000, "current": 500}
    counts = {name: signs[name] * int(rng.integers(300, top)) for name, top in highest.items()}
    counts["voltage"], counts["temperature"] = int(rng.integers(50, 140)), int(rng.integers(20, 70))
    block = rng.integers(1, 256, 15)
    for name, place in PLACE.items():
        word = abs(counts[name]) + (1 << BIT[name] if counts[name] < 0 else 0)
        block[place], block[place + 1] = word % 256, word // 256
    block[6], block[7] = counts["voltage"], counts["temperature"]
    block[9] = rng.integers(0, 256) if status is None else status
    return bytes(block.tolist()), counts


def in_si(name, count):
    """What that many counts of a register are."""
    scale = {"q": TICK, "qd": TICK, "duty": 1e-3, "voltage": 0.1, "temperature": 1.0, "current": 0.0065}
    return scale[name] * (count - 2048 if name == "q" else count)


def read_slips(name, block, count):
    """What the usual mistakes would have made of one entry."""
    if name not in PLACE:
        return {"that is the count, without its unit": count, "the unit was multiplied the wrong way": count * 10}
    low, high = block[PLACE[name]], block[PLACE[name] + 1]
    word, bit = low + 256 * high, BIT[name]
    two = word - 65536 if word > 32767 else word
    names = {"q": "POSITION", "qd": "SPEED", "duty": "LOAD", "current": "CURRENT"}
    slips = {
        "the bytes are in the wrong order: the low one comes first": in_si(name, 256 * low + high),
        "only the low byte was read; the high one counts 256 times as much": in_si(name, low),
        f"the sign bit was added to the number; bit {bit} of {names[name]} says minus and nothing else": in_si(
            name, word
        ),
        "that is two's complement; this servo sends a sign bit and a magnitude": in_si(name, two),
        f"the sign bit was taken off and forgotten: bit {bit} says minus": in_si(name, word % (1 << bit)),
        "the sign is the wrong way round: a set bit means minus": in_si(name, -count),
        "that is the count, without its unit": count,
    }
    if bit == 10:
        slips["the sign bit of LOAD is bit 10, not bit 15: see SIGN_BIT"] = in_si(
            name, word % 32768 * (1 - word // 32768 * 2)
        )
        slips["that is in percent; duty runs from -1 to 1"] = count / 10
        slips["a count of LOAD is a thousandth, not a 1024th"] = count / 1024
    if name == "q":
        slips["the angle is zero at CENTRE ticks, not at 0"] = TICK * count
        slips["that is in degrees; the course computes in rad"] = np.degrees(in_si(name, count))
        slips["CENTRE has to be taken off after the sign, from the count"] = -TICK * (abs(count) - 2048)
    if name == "qd":
        slips["CENTRE belongs to the angle; a speed has none"] = TICK * (count - 2048)
    if name == "current":
        slips["a count of CURRENT is 6.5 mA; that is in mA"] = 6.5 * count
    return slips


def read(block, asked):
    return fields(ex.decode(block), asked, *UNITS, "overloaded")


def compare(rng, signs):
    block, counts = block_of(rng, signs)
    asked = f"decode(bytes.fromhex('{block.hex(' ')}'))"
    got = read(block, asked)
    for name, unit in UNITS.items():
        agree(f'"{name}" of {asked}', got[name], in_si(name, counts[name]), tol=1e-9, unit=unit,
              slips=read_slips(name, block, counts[name]))  # fmt: skip


@check(todo="decode", points=2)
def test_reads_counts_above_zero(rng):
    """Blocks in which no sign bit is set: addresses, byte order and units."""
    for _ in range(4):
        compare(rng, dict.fromkeys(PLACE, 1))


@check(todo="decode", points=1)
def test_a_bit_says_minus(rng):
    """The same with signs: of one register at a time, then of all."""
    for negative in (*PLACE, *rng.choice([*PLACE], 2)):
        compare(rng, {name: -1 if name == negative else 1 for name in PLACE})
    compare(rng, dict.fromkeys(PLACE, -1))


@check(todo="decode", points=1)
def test_overload_is_one_bit_among_others(rng):
    """Status bytes that say several things at once: bit 0 voltage, 1 encoder, 2 heat, 3 current, 5 overload."""
    for status in (32, 0, 15, 32 + int(rng.integers(1, 16)), int(rng.integers(1, 16)), 4, 36):
        block, _ = block_of(rng, dict.fromkeys(PLACE, 1), status)
        asked = f'"overloaded" of decode(...) with the status byte {status} = 0b{status:06b}'
        got, expected = boolean(read(block, asked)["overloaded"], asked), bool(status & 32)
        if got != expected:
            why = "any other fault sets a bit of this byte too; overload is bit 5, counted from 0"
            if expected:
                why = "the byte says more than one thing: look at bit 5 alone, not at the whole"
                if status == 32:
                    why = "overload is bit 5, counted from 0: its value in the byte is 32"
            wrong(asked, str(got), str(expected), why)


# fit_law


def pair(got, asked, first, second):
    """The answer as two entries."""
    if not isinstance(got, (tuple, list, np.ndarray)) or len(got) != 2:
        kind = "nothing (None)" if got is None else "something else"
        if isinstance(got, (int, float, np.number)):
            kind = "one number"
        elif isinstance(got, (tuple, list, np.ndarray)):
            kind = f"{len(got)} values"
        wrong(asked, kind, f"two values: ({first}, {second})", "the return statement is missing" if got is None else "")
    if isinstance(got, (tuple, list)) and isinstance(got[0], (np.ndarray, list, tuple)):
        wrong(asked, "an array and something else", f"two values: ({first}, {second})",
              "least_squares returns the weights and R^2; the answer is made of the weights")  # fmt: skip
    return got


def law(rng, n, reach):
    """A law and a log of it: gain, start, errors of up to reach times what clips, and duties."""
    gain, start = rng.uniform(0.001, 0.01), rng.uniform(0.005, 0.05)
    full = int((0.95 - start) / gain)
    error = rng.integers(2, int(reach * full), n) * np.where(rng.random(n) < 0.6, 1.0, -1.0)
    return gain, start, error, gain * error + start * np.sign(error)


def fitted(error, duty, *columns):
    matrix = np.stack([column(error) for column in columns], axis=1)
    return np.linalg.solve(matrix.T @ matrix, matrix.T @ duty)[:2]


def ones(x):
    return np.ones(len(x))


def same(x):
    return x


def law_slips(error, duty, gain, start):
    """What the usual mistakes would have given."""
    alive, free = np.abs(error) > 1, np.abs(duty) < 0.96
    slips = {
        "the start is a duty in the direction of the error: its column is the sign, not ones": (same, ones),
        "the start needs a column of its own, sign(error); here it went into the gain": (same, np.abs),
    }
    values = {why: fitted(error[alive & free], duty[alive & free], *columns) for why, columns in slips.items()}
    values |= {
        "the rows at the limit are in: there the duty no longer follows the error (CLIPPED)": fitted(
            error[alive], duty[alive], same, np.sign
        ),
        "rows in the dead zone are in: at an error of one tick the firmware still does nothing (DEAD_ZONE)": fitted(
            error[free], duty[free], same, np.sign
        ),
        "all rows are in, but the law does not rule those at the limit and in the dead zone": fitted(
            error, duty, same, np.sign
        ),
        "negative duties are clipped as well: take the absolute value before you compare": fitted(
            error[alive & (duty < 0.96)], duty[alive & (duty < 0.96)], same, np.sign
        ),
        "gain and start are in the other order": (start, gain),
        "gain is duty for each tick, so error is the column and duty what it explains": (1 / gain, start),
        "the gain is for each tick of error, not for each rad": (gain / TICK, start),
    }
    return values


def compare_law(asked, error, duty, gain, start, slips):
    got = array(pair(ex.fit_law(error, duty), asked, "gain", "start"), (2,), asked)
    for k, name in enumerate(("gain", "start")):
        agree(f"the {name} of {asked}", got[k], (gain, start)[k], tol=1e-8,
              slips={why: values[k] for why, values in slips.items()})  # fmt: skip


@check(todo="fit_law", points=1)
def test_finds_gain_and_start(rng):
    """Logs in which the law holds in every row."""
    for _ in range(3):
        gain, start, error, duty = law(rng, 60, 1.0)
        asked = f"fit_law(error, duty) of a log with gain {gain:.6f} and start {start:.5f}"
        slips = law_slips(error, duty, gain, start)
        slips["the start is missing: the line does not go through zero"] = (error @ duty / (error @ error), 0.0)
        compare_law(asked, error, duty, gain, start, slips)


@check(todo="fit_law", points=2)
def test_leaves_out_what_the_law_does_not_rule(rng):
    """Logs with large errors, whose duty is clipped at 0.97, and with rows in the dead zone."""
    for _ in range(3):
        gain, start, error, duty = law(rng, 80, 2.0)
        error = np.r_[error, rng.integers(-1, 2, 40)].astype(float)
        duty = np.where(np.abs(error) > 1, gain * error + start * np.sign(error), 0.0)
        duty = np.clip(duty, -0.97, 0.97)
        shuffled = rng.permutation(len(error))
        error, duty = error[shuffled], duty[shuffled]
        asked = f"fit_law(error, duty) of a log with gain {gain:.6f}, start {start:.5f}, a dead zone and clipped rows"
        slips = law_slips(error, duty, gain, start)
        slips["a straight line has no step at zero: the start goes with the sign of the error"] = np.polyfit(
            error, duty, 1
        )
        compare_law(asked, error, duty, gain, start, slips)


# kt_fits


def motion(rng, n=240, noise=0.0):
    """A log of one joint: kt, current, qd, tau. A third of the rows stand, and there friction may be anything."""
    kt, coulomb, viscous, offset = (
        rng.uniform(0.8, 2.5),
        rng.uniform(0.1, 0.4),
        rng.uniform(0.02, 0.2),
        rng.normal() * 0.3,
    )
    current = rng.normal(0.1, 0.5, n)
    qd = rng.choice([-1, 1], n) * rng.uniform(0.08, 2.0, n)
    tau = kt * current + offset - coulomb * np.sign(qd) - viscous * qd + noise * rng.normal(size=n)
    standing = rng.random(n) < 0.35
    qd[standing] = rng.choice([0.0, 1.0], standing.sum()) * rng.uniform(-0.04, 0.04, standing.sum())
    tau[standing] += rng.uniform(-1.5, 1.5, standing.sum()) * coulomb
    return kt, current, qd, tau


def fit(columns, y):
    """Weights by the normal equations, and R^2."""
    matrix = np.stack(columns, axis=1)
    weights = np.linalg.solve(matrix.T @ matrix, matrix.T @ y)
    return weights, 1 - np.sum((y - matrix @ weights) ** 2) / np.sum((y - y.mean()) ** 2)


def entry(current, qd, tau, name, asked):
    got = fields(ex.kt_fits(current, qd, tau), asked, "plain", "friction", "swapped")[name]
    return array(pair(got, f'"{name}" of {asked}', "Kt", "R^2"), (2,), f'"{name}" of {asked}')


ASKED = "kt_fits(current, qd, tau) of {} rows"


def both(asked, name, got, kt, r2, slips, r2_slips):
    agree(f'Kt of "{name}" in {asked}', got[0], kt, tol=1e-8 * max(1, abs(kt)), unit="N m/A", slips=slips)
    agree(f'R^2 of "{name}" in {asked}', got[1], r2, tol=1e-8, slips=r2_slips)


@check(todo="kt_fits", points=1)
def test_plain_is_covariance_over_variance(rng):
    """tau from the current and an offset, over all rows."""
    for _ in range(2):
        _, current, qd, tau = motion(rng)
        asked = ASKED.format(len(tau))
        got = entry(current, qd, tau, "plain", asked)
        covariance = np.cov(current, tau)
        slope = covariance[0, 1] / covariance[0, 0]
        r2 = np.corrcoef(current, tau)[0, 1] ** 2
        moving = np.abs(qd) > 0.05
        i, y = current[moving], tau[moving]
        both(asked, "plain", got, slope, r2, {
            "the offset is missing: a column of ones": current @ tau / (current @ current),
            "the plain fit is over all rows, standing ones too": fit([i, ones(i)], y)[0][0],
            "that is the swapped fit": covariance[1, 1] / covariance[0, 1],
            "that is the offset; the slope is the weight of the current": tau.mean() - slope * current.mean(),
            "the columns were exchanged: the current explains tau here": covariance[0, 1] / covariance[1, 1],
            "friction belongs to the second fit": fit([current, ones(qd), np.sign(qd), qd], tau)[0][0],
        }, {"that is the correlation; R^2 is its square": np.sqrt(r2)})  # fmt: skip


@check(todo="kt_fits", points=1)
def test_swapped_is_turned_back_into_kt(rng):
    """The current from tau, and what this slope says about Kt."""
    for _ in range(2):
        _, current, qd, tau = motion(rng)
        asked = ASKED.format(len(tau))
        got = entry(current, qd, tau, "swapped", asked)
        covariance = np.cov(current, tau)
        slope = covariance[1, 1] / covariance[0, 1]
        both(asked, "swapped", got, slope, np.corrcoef(current, tau)[0, 1] ** 2, {
            "that slope is in A/(N m): Kt is 1 over it": 1 / slope,
            "that is the plain fit again: here tau is the column and the current what it explains": covariance[0, 1]
            / covariance[0, 0],
            "that is 1 over the plain slope, in A/(N m): the regression itself has to change sides": covariance[0, 0]
            / covariance[0, 1],
            "the offset is missing: a column of ones": tau @ tau / (current @ tau),
        }, {})  # fmt: skip


@check(todo="kt_fits", points=2)
def test_friction_takes_the_moving_rows_only(rng):
    """Logs whose moving rows obey a known Kt, Coulomb and viscous friction exactly; then with noise."""
    for noise in (0.0, 0.0, 0.1):
        kt, current, qd, tau = motion(rng, noise=noise)
        asked = ASKED.format(len(tau)) + f", made with Kt = {kt:.3f} N m/A"
        got = entry(current, qd, tau, "friction", asked)
        moving = np.abs(qd) > 0.05
        i, w, y = current[moving], qd[moving], tau[moving]
        s = np.sign(w)
        (slope, *_), r2 = fit([i, ones(i), s, w], y)
        if not noise:
            slope, r2 = kt, 1.0
        every, every_r2 = fit([current, ones(qd), np.sign(qd), qd], tau)
        both(asked, "friction", got, slope, r2, {
            "standing rows are in: there friction holds with whatever it likes (STILL)": every[0],
            "rows slower than STILL are in: not 0, but as good as standing": fit(
                [x[qd != 0] for x in (current, ones(qd), np.sign(qd), qd)], tau[qd != 0])[0][0],
            "abs is missing: joints that turn backwards move as well": fit(
                [current[qd > 0.05], ones(current[qd > 0.05]), qd[qd > 0.05]], tau[qd > 0.05])[0][0],
            "Coulomb friction is missing: its column is sign(qd)": fit([i, ones(i), w], y)[0][0],
            "viscous friction is missing: its column is qd": fit([i, ones(i), s], y)[0][0],
            "the offset is missing: a column of ones": fit([i, s, w], y)[0][0],
            "friction grows with the speed, not with its amount: the column is qd, not abs(qd)": fit(
                [i, ones(i), s, np.abs(w)], y)[0][0],
            "that is the plain fit, without friction": fit([current, ones(qd)], tau)[0][0],
        }, {
            "R^2 is over the rows that were fitted": every_r2,
            "that is the R^2 of the plain fit": np.corrcoef(current, tau)[0, 1] ** 2,
        })  # fmt: skip


# fit_friction


def curve(qd, coulomb, extra, fade, viscous):
    """Another way to write the same: friction of a positive speed, then mirrored."""
    speed = np.abs(qd)
    return np.where(qd >= 0, 1, -1) * (coulomb + extra / np.exp(speed / fade) + viscous * speed)


def compare_friction(rng, fade, top):
    coulomb, extra, viscous = rng.uniform(0.05, 0.3), rng.uniform(0.08, 0.3), rng.uniform(0.02, 0.1)
    speeds = rng.uniform(0.85, 1.15, 16) * np.geomspace(fade / 6, top, 16)
    qd = np.r_[-speeds, speeds]
    points = curve(qd, coulomb, extra, fade, viscous)
    asked = "fit_friction(qd, friction) of {} points of stribeck(qd, {:.3f}, {:.3f}, {:.4f}, {:.4f})"
    asked = asked.format(len(qd), coulomb, extra, fade, viscous)
    answer = ex.fit_friction(qd, points)
    if isinstance(answer, (tuple, list)) and len(answer) == 4:
        answer = np.array([number(x, f"{name} of {asked}") for x, name in
                           zip(answer, ("coulomb", "extra", "fade", "viscous"), strict=True)])  # fmt: skip
    got = array(answer, (4,), asked)
    if got[2] <= 0:
        wrong(
            f"fade of {asked}",
            f"{got[2]:.4g} rad/s",
            f"{fade:.4g} rad/s",
            "a speed at which something fades is above 0",
        )
    swapped = {
        "extra is what slow motion adds to coulomb; that is the sum of both": (1, coulomb + extra),
        "coulomb is what is left when the extra part has faded; that is the sum of both": (0, coulomb + extra),
        "coulomb and extra are in the other order": (0, extra),
        "fade and viscous are in the other order": (2, viscous),
    }
    truth = np.array([coulomb, extra, fade, viscous])
    allowed = np.array([0.04 * (coulomb + extra), 0.04 * (coulomb + extra), 0.06 * fade, 0.06 * viscous + 0.002])
    names = (("coulomb", "N m"), ("extra", "N m"), ("fade", "rad/s"), ("viscous", "N m s/rad"))
    for k in (2, 0, 1, 3):
        slips = {why: value for why, (place, value) in swapped.items() if place == k}
        if k == 2:
            slips["that is the end of the range: the best fade lies inside"] = 3.0 if got[2] > 1 else 0.01
            columns = [np.sign(qd), curve(qd, 0, 1, got[2], 0), qd]
            own = fit(columns, points)[0]
            if np.abs(own - got[[0, 1, 3]]).max() > 1e-6:
                slips["for this fade other weights fit better: look at the three columns, and at the exponent"] = got[2]
            elif abs(got[2] - fade) < 0.4 * fade:
                slips["near, but the values of fade that were tried lie too far apart"] = got[2]
            else:
                slips["another fade fits better: compare the R^2 of all that were tried"] = got[2]
        elif abs(got[2] - fade) > 0.06 * fade:
            slips["fade is off, and so are the others"] = got[k]
        name, unit = names[k]
        agree(f"{name} of {asked}", got[k], truth[k], tol=allowed[k], unit=unit, slips=slips)


@check(todo="fit_friction", points=2)
def test_finds_the_four_numbers(rng):
    """Points of known friction curves, both ways of turning, without noise."""
    for _ in range(3):
        compare_friction(rng, rng.uniform(0.08, 0.4), 4.0)


@check(todo="fit_friction", points=1)
def test_finds_a_fade_far_from_the_usual(rng):
    """Friction that fades almost at once, and friction that hardly fades."""
    compare_friction(rng, rng.uniform(0.012, 0.03), 2.0)
    compare_friction(rng, rng.uniform(1.0, 1.6), 9.0)


# gap_or_stiction


def bench(rng, pushes=None):
    """A joint with a gap, stiction and a gear that bends, and what swing and wiggles show of it."""
    gap, stiction, bend = rng.uniform(0.004, 0.03), round(rng.uniform(0.1, 0.3), 3), rng.uniform(0.01, 0.04)
    push = stiction * (np.r_[rng.uniform(0.1, 0.9, 4), rng.uniform(1.1, 1.9, 2), 2.5] if pushes is None else pushes)
    push = rng.permutation(push)
    moved = gap + bend * push + 0.25 * np.maximum(0, push - stiction)
    return gap, stiction, bend, push, moved


def shown(values):
    return "[" + ", ".join(f"{x:.4f}" for x in values) + "]"


def answered_gap(stiction, push, moved, asked):
    """The answer: the gap, a number or None, and the stiction, a number."""
    gap, friction = pair(ex.gap_or_stiction(2 * stiction, push, moved), asked, "gap", "stiction")
    if friction is None:
        wrong(f"the stiction of {asked}", "None", f"{stiction:.4g} N m", "the swing alone tells the stiction")
    if isinstance(gap, (float, np.floating)) and np.isnan(gap):
        wrong(f"the gap of {asked}", "nan", "a number, or None where the data cannot tell")
    return None if gap is None else number(gap, f"the gap of {asked}", "rad"), friction


def asked_gap(stiction, push, moved):
    return f"gap_or_stiction({2 * stiction:.4f}, push={shown(push)}, moved={shown(moved)})"


@check(todo="gap_or_stiction", points=1)
def test_friction_is_half_the_swing(rng):
    """From holding back with all it has to holding back the other way."""
    for _ in range(3):
        gap, stiction, _, push, moved = bench(rng)
        asked = asked_gap(stiction, push, moved)
        got = answered_gap(stiction, push, moved, asked)[1]
        slips = {
            "gap and stiction are in the other order": gap,
            "at one end friction holds with all it has, at the other end too, the other way: the swing is twice that":
                2 * stiction,
            "half of the swing, not a quarter": stiction / 2,
            "the reversal tells the friction, not the push at which something moved": push.min(),
        }  # fmt: skip
        agree(f"the stiction of {asked}", got, stiction, tol=1e-9, unit="N m", slips=slips)


@check(todo="gap_or_stiction", points=2)
def test_the_gap_is_what_no_push_would_show(rng):
    """Wiggles by weak and strong hands, in no order. The gear bends, and a strong hand turns the rotor."""
    for _ in range(3):
        gap, stiction, bend, push, moved = bench(rng)
        asked = asked_gap(stiction, push, moved)
        got = answered_gap(stiction, push, moved, asked)[0]
        held = push < stiction
        if got is None:
            wrong(
                f"the gap of {asked}", "None", f"{gap:.4g} rad", "several different pushes are weaker than the stiction"
            )
        near, far = push < 2 * stiction, push >= stiction
        slips = {
            "strong hands turned the rotor: only pushes below the stiction show the gap": np.polyfit(push, moved, 1)[1],
            "the stiction is half the swing; pushes up to the whole swing let the rotor slide": np.polyfit(
                push[near], moved[near], 1)[1],
            "these are the wiggles in which the rotor slid; the others show the gap": np.polyfit(
                push[far], moved[far], 1)[1],
            "that is the slope, the bending in rad for each N m; the gap is the constant of the line": bend,
            "the gear bends under the push: a mean contains that": moved[held].mean(),
            "the gear bends even under the weakest push: go on along the line to no push at all": moved.min(),
            "that is one of the wiggles; the gear bends in each of them": moved[np.argmin(np.abs(moved - got))],
            "the whole gap is asked for; that is half of it": gap / 2,
            "moved is from end to end already: that is twice the gap": 2 * gap,
            "degrees; the answer is in rad": np.degrees(gap),
            "that is the slope of a line through zero; this line has a constant": moved[held] @ push[held]
            / (push[held] @ push[held]),
        }  # fmt: skip
        agree(f"the gap of {asked}", got, gap, tol=1e-9, unit="rad", slips=slips)


@check(todo="gap_or_stiction", points=1)
def test_says_when_it_cannot_tell(rng):
    """A reversal alone; one wiggle; the same wiggle twice; only strong hands; then two weak ones, which are enough."""
    level, two = rng.uniform(0.3, 0.8), rng.uniform([0.1, 0.5], [0.4, 0.9])
    for pushes, title in (
        ([], "a reversal alone shows the same with a gap and without"),
        ([level], "one wiggle cannot tell the gap from the bending of the gear"),
        ([level, level], "the same push twice is still one point of the line"),
        (rng.uniform(1.2, 3, 4), "every push turned the rotor, so none shows the gap"),
        (np.r_[level, rng.uniform(1.2, 3, 3)], "only one push is weaker than the stiction, and a line takes two"),
        (np.r_[two, rng.uniform(1.2, 3, 2)], ""),
    ):
        gap, stiction, _, push, moved = bench(rng, np.array(pushes, float))
        asked = asked_gap(stiction, push, moved)
        answer = answered_gap(stiction, push, moved, asked)
        agree(f"the stiction of {asked}", answer[1], stiction, tol=1e-9, unit="N m")
        if title and answer[0] is not None:
            wrong(f"the gap of {asked}", f"{answer[0]:.4g} rad", "None", title)
        if not title:
            if answer[0] is None:
                wrong(
                    f"the gap of {asked}",
                    "None",
                    f"{gap:.4g} rad",
                    "two different pushes below the stiction make a line",
                )
            agree(f"the gap of {asked}", answer[0], gap, tol=1e-9, unit="rad")
