"""What one answer of the encoder costs: ours in JAX beside the same network in PyTorch and in ONNX Runtime.

    python benchmarks/inference.py [--size paper] [--rounds 20]

One window of nine frames, as a control loop asks at each tick, and 32 of them. NumPy in, NumPy out, 32 bits, all on
one core where the system lets a process choose one. All have the same weights, and their answers are compared first.
They are asked in turn, several rounds; the best round counts. Ours stands there twice: with the weights closed over,
so that they are constants of the compiled program, which is how a trained model is used; and with the weights as
arguments, which is how one is trained. Below the table: NeuralActuator.step() of module 16 with this network, all of
it, from what a bus has told to the force.

PyTorch and ONNX Runtime come from `python3 -m pip install torch onnx onnxruntime`; what is missing is left out. PyTorch
uses its own fused attention and is in inference mode; `traced` is `torch.jit.trace`, frozen.
"""

import argparse
import io
import os
import time
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec

import numpy as np

if hasattr(os, "sched_setaffinity"):  # before anything counts the cores
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

from bench.networks import TOKENS, Outputs, Params
from bench.payload_set import ROBOT, pressed
from bench.xla import NETWORK, jax
from solutions.encoder import ENCODER, SIZES, apply
from solutions.neural_actuator import NeuralActuator, again

FEATURES, JOINTS, BATCHES = 35, 5, (1, 32)
TOL = 1e-4
Answer = Callable[[np.ndarray], tuple]


def main() -> None:
    options = argparse.ArgumentParser(description="The encoder's latency beside PyTorch and ONNX Runtime.")
    options.add_argument("--size", choices=SIZES, default="paper")
    options.add_argument("--rounds", type=int, default=20)
    chosen = options.parse_args()
    params = ENCODER.init(jax.random.key(0), FEATURES, JOINTS, SIZES[chosen.size])
    rng = np.random.default_rng(0)
    # A fresh encoder has no biases yet and positions near zero; a peer that forgot them would look right.
    params = jax.tree.map(lambda x: x + np.float32(0.1) * rng.standard_normal(x.shape, np.float32), params)
    engines = dict(ours(params)) | dict(theirs(params))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(f"size {chosen.size}: {ENCODER.parameters(chosen.size, FEATURES, JOINTS):,} parameters, {cores} core(s)\n")
    print(f"{'':24}" + "".join(f"  batch {n:3}      of ours" for n in BATCHES) + "   off ours by")
    windows = {n: rng.standard_normal((n, TOKENS, FEATURES), np.float32) for n in BATCHES}
    right = next(iter(engines.values()))(windows[32])
    off = {name: difference(answer(windows[32]), right) for name, answer in engines.items()}
    best = measure(engines, windows, chosen.rounds)
    first = next(iter(engines))
    for name in engines:
        columns = [f"{1e3 * best[name, n]:8.3f} ms {best[name, n] / best[first, n]:11.2f}" for n in BATCHES]
        print(f"{name:24}" + "  ".join(columns) + f"  {off[name]:11.0e}" + ("  WRONG" if off[name] > TOL else ""))

    whole = min(live(params, chosen.rounds))
    print(
        f"\nNeuralActuator.step(), all of it: {1e3 * whole:.3f} ms, {whole / best[first, 1]:.2f} of the network alone"
    )


def live(params: Params, rounds: int) -> Iterator[float]:
    """Seconds for each tick of a live arm, after the first."""
    actuator = NeuralActuator(again(ROBOT, "transformer", residual=False), params, ROBOT)
    _, rows = pressed(3.0)
    actuator.step(rows[0])
    for row in rows * (1 + rounds // 10):
        started = time.perf_counter()
        actuator.step(row)
        yield time.perf_counter() - started


def difference(got: tuple, right: tuple) -> float:
    """The largest difference of any number, relative to the largest of its output."""
    pairs = [(np.asarray(a), np.asarray(b)) for a, b in zip(got, right, strict=True)]
    return max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in pairs)


def measure(engines: dict[str, Answer], windows: dict[int, np.ndarray], rounds: int) -> dict[tuple[str, int], float]:
    """Seconds for one answer, the best of all rounds, by engine and batch."""
    best: dict[tuple[str, int], float] = {}
    for _ in range(rounds):
        for name, answer in engines.items():
            for n, tokens in windows.items():
                for _ in range(100 if n == 1 else 10):
                    started = time.perf_counter()
                    answer(tokens)
                    best[name, n] = min(best.get((name, n), np.inf), time.perf_counter() - started)
    return best


def ours(params: Params) -> Iterator[tuple[str, Answer]]:
    closed = jax.jit(lambda tokens: apply(params, tokens), compiler_options=NETWORK)  # as in bench.live
    open_ = jax.jit(apply, compiler_options=NETWORK)
    yield "this course", lambda tokens: jax.tree.map(np.asarray, closed(tokens))
    yield "weights as arguments", lambda tokens: jax.tree.map(np.asarray, open_(params, tokens))


def theirs(params: Params) -> Iterator[tuple[str, Answer]]:
    """The peers that are installed."""
    if not find_spec("torch"):
        print("PyTorch is not installed and left out, and ONNX Runtime with it (python3 -m pip install torch)")
        return
    import torch

    torch.set_num_threads(1)
    model = module(params)
    example = torch.zeros(1, TOKENS, FEATURES)

    def asked(network) -> Answer:
        def answer(tokens: np.ndarray) -> tuple:
            with torch.inference_mode():
                return tuple(x.numpy() for x in network(torch.from_numpy(tokens)))

        return answer

    yield "PyTorch, eager", asked(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that tracing and this exporter will be replaced one day
        with torch.inference_mode():
            yield "PyTorch, traced", asked(torch.jit.freeze(torch.jit.trace(model, example)))
        if not (find_spec("onnxruntime") and find_spec("onnx")):
            print("ONNX Runtime is not installed and left out (python3 -m pip install onnx onnxruntime)")
            return
        file, free = io.BytesIO(), {"tokens": {0: "batch"}}
        free |= {name: {0: "batch"} for name in Outputs._fields}
        torch.onnx.export(
            model,
            (example,),
            file,
            input_names=["tokens"],
            output_names=list(Outputs._fields),
            dynamic_axes=free,
            dynamo=False,
        )
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(file.getvalue(), settings, providers=["CPUExecutionProvider"])
    yield "ONNX Runtime", lambda tokens: tuple(session.run(None, {"tokens": tokens}))


def module(params: Params):
    """The same network as a torch.nn.Module, written as one would there, with these weights."""
    import torch
    from torch import nn
    from torch.nn import functional

    def tensor(x):
        return torch.from_numpy(np.array(x))

    def linear(w, b=None):
        layer = nn.Linear(*w.shape, bias=b is not None)
        layer.weight.data = tensor(w).T.contiguous()
        if b is not None:
            layer.bias.data = tensor(b)
        return layer

    def norm(p):
        layer = nn.LayerNorm(len(p["scale"]), eps=1e-6)
        layer.weight.data, layer.bias.data = tensor(p["scale"]), tensor(p["shift"])
        return layer

    def mlp(layers, last=True):
        parts = [part for layer in layers for part in (linear(layer["w"], layer["b"]), nn.SiLU())]
        return nn.Sequential(*(parts[:-1] if last else parts))

    class Block(nn.Module):
        def __init__(self, p):
            super().__init__()
            d, _, self.heads, self.width = p["qkvg"].shape
            self.before, self.between = norm(p["norm_attention"]), norm(p["norm_ffn"])
            self.qkvg, self.out = linear(p["qkvg"].reshape(d, -1)), linear(p["out"])
            self.ffn = nn.Sequential(linear(**p["up"]), nn.GELU(), linear(**p["down"]))

        def forward(self, h):
            mixed = self.qkvg(self.before(h)).view(*h.shape[:2], 4, self.heads, self.width)
            q, k, v, g = mixed.permute(2, 0, 3, 1, 4)
            heard = functional.scaled_dot_product_attention(q, k, v) * torch.sigmoid(g)
            z = h + self.out(heard.transpose(1, 2).reshape(h.shape))
            return z + self.ffn(self.between(z))

    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.lift, self.positions = linear(params["input"]), nn.Parameter(tensor(params["positions"]))
            self.blocks = nn.Sequential(*map(Block, params["blocks"]))
            self.norm = norm(params["norm"])
            heads = params["heads"]
            self.feature = mlp(heads["feature"], last=False)
            self.tau, self.force, self.gate, self.condition = (
                mlp(heads[name]) for name in ("tau", "force", "gate", "condition")
            )

        def forward(self, tokens):
            h = self.norm(self.blocks(self.lift(tokens) + self.positions)).mean(dim=1)
            feature = self.feature(h)
            return self.tau(h), self.force(feature), self.gate(feature)[..., 0], self.condition(h)

    return Encoder().eval()


if __name__ == "__main__":
    main()
