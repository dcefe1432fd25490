"""JAX is prepared once, in the right order, and says so in one line where it cannot be."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
FLAG = "--xla_cpu_use_fusion_emitters=false"

pytestmark = pytest.mark.skipif(find_spec("jax") is None, reason="needs the extra learn")


def python(code, **environment):
    """What a fresh interpreter prints, and what it says last if it fails."""
    inherited = {k: v for k, v in os.environ.items() if k not in ("XLA_FLAGS", "XLA_PYTHON_CLIENT_PREALLOCATE")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.stdout.strip(), (done.stderr.strip().splitlines() or [""])[-1]


def test_numbers_have_64_bits_and_the_settings_are_there_before_jax():
    out, _ = python(
        "import os\nfrom bench.xla import jax, jnp\n"
        "print(jnp.ones(1).dtype, jnp.float32(1).dtype, os.environ['XLA_PYTHON_CLIENT_PREALLOCATE'])"
    )
    assert out == "float64 float32 false"


@pytest.mark.parametrize(
    ("found", "given", "expected"),
    [
        ("0.10.2", "", FLAG),
        ("0.10.2", "--xla_dump_to=x", f"--xla_dump_to=x {FLAG}"),
        ("0.10.2", "--xla_cpu_use_fusion_emitters=false", FLAG),
        ("0.99.0", "", ""),
    ],
)
def test_the_compiler_flag_is_for_the_measured_version_alone(found, given, expected):
    """An unknown flag ends the process, so it is looked at before jax reads it."""
    out, _ = python(
        "import importlib.metadata, os, sys, types\n"
        f"importlib.metadata.version = lambda name: {found!r}\n"
        "class Stop(Exception): pass\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'jax': raise Stop\n"
        "sys.meta_path.insert(0, Finder())\n"
        "try:\n    import bench.xla\nexcept Stop:\n    print(os.environ.get('XLA_FLAGS', ''))",
        XLA_FLAGS=given,
    )
    assert out == expected


def test_a_jax_with_32_bits_was_used_first():
    _, said = python("import jax\njax.devices()\nimport bench.xla")
    assert said == (
        "ImportError: jax was used before bench.xla, with 32-bit numbers; write `from bench.xla import jax` first"
    )


def test_a_library_that_imports_jax_may_come_first():
    """The flag is read when JAX computes for the first time: an unknown one ends the process only then."""
    out, _ = python("import optax\nfrom bench.xla import jnp\nprint(jnp.ones(1).dtype)")
    assert out == "float64"
    code = "import os, optax, bench.xla\nos.environ['XLA_FLAGS'] = '--xla_no_such_flag=1'\nbench.xla.jax.devices()"
    assert "Unknown flag" in python(code)[1]


def test_a_jax_with_64_bits_may_come_first():
    out, _ = python("import jax\njax.config.update('jax_enable_x64', True)\nfrom bench.xla import jnp\nprint('fine')")
    assert out == "fine"


def test_without_jax_there_is_one_line():
    out, said = python(
        "import importlib.metadata as m\n"
        "def version(name): raise m.PackageNotFoundError(name)\n"
        "m.version = version\nimport bench.xla"
    )
    assert (out, said) == ("", "ImportError: JAX is not installed; `python3 -m course doctor` says how to install it")


def test_what_was_compiled_is_kept_where_it_may_be_written_and_nowhere_else(tmp_path):
    (tmp_path / "file").write_text("")
    code = (
        "from pathlib import Path\nimport bench.xla\nfrom bench.xla import jax\n"
        "jax.config.update('jax_compilation_cache_dir', None)\n"
        "bench.xla._keep_compiled(Path({!r}))\nprint(jax.config.jax_compilation_cache_dir)"
    )
    assert python(code.format(str(tmp_path / "a" / "xla")))[0] == str(tmp_path / "a" / "xla")
    assert python(code.format(str(tmp_path / "file" / "xla")))[0] == "None"
    out, _ = python("import bench.xla\nprint(bench.xla.CACHE)")
    assert Path(out) == ROOT / ".course" / "xla"


def test_compiled_takes_and_gives_numpy():
    from bench.xla import compiled

    def sums(x, pair):
        """Sums."""
        return {"x": x.sum(), "pair": (pair[0] + pair[1], x)}

    fast = compiled(sums)
    got = fast(np.arange(3.0), (np.float32(1), np.arange(2)))
    assert fast.__doc__ == "Sums."
    assert all(type(leaf) is np.ndarray for leaf in (got["x"], *got["pair"]))
    assert got["x"].dtype == np.float64 and got["x"] == 3.0
    assert got["pair"][0].tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda x: np.sin(x), "use jnp, not np"),
        (lambda x: np.zeros(3) + np.asarray(x), "use jnp, not np"),
        (lambda x: float(x[0]), r"no float\(\)"),
        (lambda x: x if x[0] > 0 else -x, r"no float\(\), int\(\), if"),
        (lambda x: [1, 2, 3][x[0].astype(int)], "a place in a list"),
    ],
)
def test_compiled_says_in_one_line_where_numbers_are_wanted_too_early(function, says):
    """And the traceback still leads into the function, so that its line can be named."""
    from bench.xla import compiled

    with pytest.raises(TypeError, match=says) as raised:
        compiled(function)(np.ones(3))
    assert "\n" not in str(raised.value)
    assert function.__code__ in [entry.frame.code.raw for entry in raised.traceback]
