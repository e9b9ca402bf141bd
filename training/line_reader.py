"""Trains an adapter for the line reader: a small residual network on the features of PP-OCRv6 small (Apache-2.0).

    python training/line_reader.py --corpus CORPUS        # as the model card tells
    python training/line_reader.py --small                # a few minutes, drawn lines alone

`training/lines.ts` draws lines and cuts real ones, and runs the network over them as the product does; here only what
stands behind it learns. Steps are N lines × T steps of 8 pixels × F = 120 features. The adapter begins as nothing at all, so
that training starts from today's reader, and it ends where lines that it does not learn from are read best.
"""

import argparse
import base64
import json
import os
import subprocess
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
import optax

ROOT = Path(__file__).resolve().parent.parent
LAYER = ROOT / "scripts/networks/published/last-layer.json"
WORK = ROOT / ".cache/training"
# Steps that the adapter sees at once: as wide as a letter and its neighbours.
WINDOW = 5
HIDDEN = 96
BATCH = 32
# Of the real lines of the tuning half every so many-th is held out; of the drawn ones as well, where there are no real ones.
HELD_OUT = 5
# Lines of one round: as many of every kind, however many there are of it.
ROUND = 1200
# Rounds without gain after which training ends.
PATIENCE = 4


@dataclass(frozen=True)
class Line:
    text: str
    kind: str
    picture: str
    half: int
    features: np.ndarray  # (steps, F)

    @property
    def is_real(self) -> bool:
        return not self.kind.startswith("drawn")


class Head(NamedTuple):
    """The rows of the last layer that Latin letters and marks need; class 0 is CTC's blank."""

    characters: list[str]
    weights: np.ndarray  # (F, classes)
    biases: np.ndarray  # (classes,)


class Adapter(NamedTuple):
    """f + swish(window(f) · spread + shift) · gather + offset"""

    spread: jax.Array  # (WINDOW, F, HIDDEN)
    shift: jax.Array  # (HIDDEN,)
    gather: jax.Array  # (HIDDEN, F)
    offset: jax.Array  # (F,)


class Batch(NamedTuple):
    features: np.ndarray  # (N, T, F)
    unread: np.ndarray  # (N, T): 1 behind a line's end
    labels: np.ndarray  # (N, L)
    unwritten: np.ndarray  # (N, L): 1 behind a text's end


def latin_head() -> Head:
    stored = json.loads(LAYER.read_text())
    size = stored["features"] + 1
    scales = np.frombuffer(base64.b64decode(stored["scales"]), np.float32)
    rows = np.frombuffer(base64.b64decode(stored["weights"]), np.int8).reshape(-1, size) * scales[:, None]
    marks = "£€¥§°©®™«»„“”‘’–—•…·×±½¡¿"

    def is_kept(character: str) -> bool:
        if len(character) != 1:
            return character == ""
        if " " <= character <= "~" or character in marks:
            return True
        return character.isalpha() and unicodedata.name(character, "").startswith("LATIN") and ord(character) < 0x250

    kept = [index for index, character in enumerate(stored["characters"]) if is_kept(character)]
    return Head([stored["characters"][index] for index in kept], rows[kept, :-1].T.copy(), rows[kept, -1].copy())


def read_lines(folder: Path, head: Head) -> list[Line]:
    known = set(head.characters)
    stored = json.loads((folder / "lines.json").read_text())
    values = np.fromfile(folder / "features.f32", np.float32).reshape(-1, head.weights.shape[0])
    lines, at = [], 0
    for entry in stored:
        features = values[at : at + entry["steps"]]
        at += entry["steps"]
        if set(entry["text"]) <= known:
            lines.append(Line(entry["text"], entry["kind"], entry["picture"], entry["half"], features))
    return lines


def parted(lines: list[Line]) -> tuple[list[Line], list[Line], list[Line]]:
    """To learn from, to stop by, to report on. The last ones are of pictures that neither of the others has."""
    reported = [line for line in lines if line.is_real and line.half == 1]
    tuning = [line for line in lines if line.is_real and line.half == 0]
    drawn = [line for line in lines if not line.is_real]
    source = tuning or drawn
    held = source[::HELD_OUT]
    learnt = [line for index, line in enumerate(source) if index % HELD_OUT]
    return (learnt + drawn if tuning else learnt), held, reported


def batched(lines: list[Line], head: Head, chance: np.random.Generator) -> Iterator[Batch]:
    """Lines of like length together, in any order; padded to few lengths, so that little is compiled."""
    class_of = {character: index for index, character in enumerate(head.characters)}
    order = sorted(lines, key=lambda line: len(line.features))
    groups = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    chance.shuffle(groups)
    for group in groups:
        steps = -(-max(len(line.features) for line in group) // 64) * 64
        letters = -(-max(len(line.text) for line in group) // 64) * 64
        shape = (BATCH, steps)
        features = np.zeros((*shape, head.weights.shape[0]), np.float32)
        unread, unwritten = np.ones(shape, np.float32), np.ones((BATCH, letters), np.float32)
        labels = np.zeros((BATCH, letters), np.int32)
        for row, line in enumerate(group):
            features[row, : len(line.features)] = line.features
            unread[row, : len(line.features)] = 0
            labels[row, : len(line.text)] = [class_of[character] for character in line.text]
            unwritten[row, : len(line.text)] = 0
        yield Batch(features, unread, labels, unwritten)


def one_round(lines: list[Line], chance: np.random.Generator) -> list[Line]:
    kinds: dict[str, list[Line]] = {}
    for line in lines:
        kinds.setdefault(line.kind, []).append(line)
    each = min(ROUND, len(lines)) // len(kinds)
    return [some[index] for some in kinds.values() for index in chance.integers(len(some), size=each)]


def untaught(features: int, seed: int) -> Adapter:
    spread = jax.random.normal(jax.random.key(seed), (WINDOW, features, HIDDEN)) / np.sqrt(WINDOW * features)
    return Adapter(spread, jnp.zeros(HIDDEN), jnp.zeros((HIDDEN, features)), jnp.zeros(features))


def adapted(adapter: Adapter, features: jax.Array) -> jax.Array:
    """(N, T, F) to the same."""
    edge, steps = WINDOW // 2, features.shape[1]
    padded = jnp.pad(features, ((0, 0), (edge, edge), (0, 0)))
    # Products of matrices: the slope of a convolution is many times slower on a processor.
    inner = sum(padded[:, place : place + steps] @ adapter.spread[place] for place in range(WINDOW))
    return features + jax.nn.swish(inner + adapter.shift) @ adapter.gather + adapter.offset


def scores(adapter: Adapter, head: Head, features: jax.Array) -> jax.Array:
    """(N, T, F) to (N, T, classes)"""
    return adapted(adapter, features) @ head.weights + head.biases


def greedy(adapter: Adapter | None, head: Head, line: Line) -> str:
    features = line.features if adapter is None else np_adapted(adapter, line.features)
    best = (features @ head.weights + head.biases).argmax(axis=1)
    kept = [index for at, index in enumerate(best) if index != 0 and (at == 0 or best[at - 1] != index)]
    return " ".join("".join(head.characters[index] for index in kept).split())


def np_adapted(adapter: Adapter, features: np.ndarray) -> np.ndarray:
    """(T, F) to the same, without a compilation for every length."""
    edge = WINDOW // 2
    padded = np.pad(features, ((edge, edge), (0, 0)))
    spread, shift, gather, offset = (np.asarray(value) for value in adapter)
    inner = sum(padded[place : place + len(features)] @ spread[place] for place in range(WINDOW)) + shift
    return features + (inner / (1 + np.exp(-inner))) @ gather + offset


def edits(left: str, right: str) -> int:
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def error_rates(adapter: Adapter | None, head: Head, lines: list[Line]) -> dict[str, float]:
    """Wrong characters to those of the truth, of each kind, and the mean of the kinds."""
    wrong: dict[str, list[int]] = {}
    for line in lines:
        sums = wrong.setdefault(line.kind, [0, 0])
        sums[0] += edits(greedy(adapter, head, line), line.text)
        sums[1] += len(line.text)
    rates = {kind: errors / max(1, letters) for kind, (errors, letters) in wrong.items()}
    return {**rates, "mean": sum(rates.values()) / max(1, len(rates))}


def trained(lines: list[Line], held: list[Line], head: Head, rounds: int, pace: float, seed: int) -> Adapter:
    chance = np.random.default_rng(seed)
    adapter = untaught(head.weights.shape[0], seed)
    per_round = -(-min(ROUND, len(lines)) // BATCH)
    schedule = optax.cosine_decay_schedule(pace, rounds * per_round, 0.05)
    optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=0.01))
    state = optimiser.init(adapter)

    def loss(adapter: Adapter, batch: Batch) -> jax.Array:
        logits = scores(adapter, head, batch.features)
        losses = optax.ctc_loss(logits, batch.unread, batch.labels, batch.unwritten)
        lengths = jnp.maximum(1, (1 - batch.unwritten).sum(axis=1))
        # What cannot be read at all would outweigh the rest.
        return jnp.minimum(losses / lengths, 5).mean()

    @jax.jit
    def step(adapter: Adapter, state: optax.OptState, batch: Batch):
        value, slope = jax.value_and_grad(loss)(adapter, batch)
        changes, state = optimiser.update(slope, state, adapter)
        return optax.apply_updates(adapter, changes), state, value

    best, least, since = adapter, error_rates(None, head, held)["mean"], 0
    print(f"before: {least:.4f} of the characters held out are wrong", flush=True)
    for number in range(1, rounds + 1):
        values = []
        for batch in batched(one_round(lines, chance), head, chance):
            adapter, state, value = step(adapter, state, batch)
            values.append(float(value))
        wrong = error_rates(adapter, head, held)["mean"]
        print(f"round {number}: loss {np.mean(values):.4f}, {wrong:.4f} wrong", flush=True)
        best, least, since = (adapter, wrong, 0) if wrong < least else (best, least, since + 1)
        if since >= PATIENCE:
            break
    return best


def stored_adapter(adapter: Adapter, made_of: str) -> dict[str, object]:
    """Numbers in base64, 32-bit floats, little end first, row by row; `spread` is WINDOW × F × HIDDEN."""
    tensors = {
        name: base64.b64encode(np.asarray(value, np.float32).tobytes()).decode()
        for name, value in adapter._asdict().items()
    }
    return {"madeOf": made_of, "window": WINDOW, "hidden": HIDDEN, **tensors}


def make_lines(folder: Path, corpus: Path | None, pages: int) -> None:
    command = ["npx", "tsx", "--conditions=source", "training/lines.ts", "--out", str(folder), "--pages", str(pages)]
    if corpus is not None:
        command += ["--corpus", str(corpus.resolve())]
    subprocess.run(command, cwd=ROOT, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, help="labelled pictures; without them drawn lines alone")
    parser.add_argument("--small", action="store_true", help="few pages and rounds: whether everything works")
    parser.add_argument("--kinds", help="real lines and drawn ones of these alone, such as 'handwriting,drawn pen'")
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--pace", type=float, default=2e-3, help="of the first steps")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=Path, help="a folder that training/lines.ts has written before")
    parser.add_argument("--out", type=Path, default=WORK / "adapter.json")
    options = parser.parse_args()
    pages, rounds = (12, 3) if options.small else (options.pages, options.rounds)

    folder = options.lines or WORK / ("lines-small" if options.small else "lines")
    if options.lines is None:
        make_lines(folder.resolve(), options.corpus, pages)
    head = latin_head()
    lines = read_lines(folder, head)
    learnt, held, reported = parted(lines)
    if options.kinds is not None:
        kinds = options.kinds.split(",")
        learnt = [line for line in learnt if line.kind in kinds]
        held = [line for line in held if line.kind in kinds]
    print(f"{len(learnt)} lines to learn from, {len(held)} to stop by, {len(reported)} to report on")
    adapter = trained(learnt, held, head, rounds, options.pace, options.seed)

    for name, some in (("held out", held), ("reported on", reported)):
        if not some:
            continue
        before, after = error_rates(None, head, some), error_rates(adapter, head, some)
        for kind in sorted(before):
            print(f"{name}, {kind}: {before[kind]:.4f} wrong before, {after[kind]:.4f} after")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(stored_adapter(adapter, f"{len(learnt)} lines, seed {options.seed}")) + "\n")
    print(options.out)


if __name__ == "__main__":
    main()
