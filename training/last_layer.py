"""Trains rows of the line recognizer's last layer for characters that are rare in English text.

    python training/last_layer.py FOLDER...

PP-OCRv6 small (Apache-2.0) has rows for most of these characters, trained on few samples of each, and none for the others. The features
are frozen, and so are the rows of the blank and of common letters, digits and punctuation. The lines come from `training/lines.ts`, which
runs the network on rendered and real lines as the product does. A line has T steps of 8 pixels × F = 120 features.
"""

import argparse
import base64
import json
import os
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

from last_layer_weights import KEPT_COMMON, KEPT_LETTERS, KEPT_SYMBOLS, PRIOR, PUBLISHED, load_rows

BATCH = 32
# One in this many rendered pages, and real images of the tuning half, is held out.
HELD_OUT = 8
# Repetitions of each real line per epoch, relative to a rendered line: real lines are the negative examples.
REAL = 3
# Initial bias of a new row, at which the character is practically impossible.
ABSENT = -6.0


@dataclass(frozen=True)
class Line:
    text: str
    kind: str
    picture: str
    half: int
    features: np.ndarray  # (T, F)

    @property
    def is_real(self) -> bool:
        return not self.kind.startswith("drawn")


@dataclass(frozen=True)
class Head:
    """Class 0 is CTC's blank. Rows are F weights and a bias."""

    characters: list[str]
    rows: np.ndarray  # (classes, F + 1)
    is_rare: np.ndarray  # (classes,)


class Batch(NamedTuple):
    features: np.ndarray  # (N, T, F + 1): the last feature is 1
    logit_padding: np.ndarray  # (N, T): 1 after the end of the line
    labels: np.ndarray  # (N, L)
    label_padding: np.ndarray  # (N, L): 1 after the end of the text


def is_kept(character: str) -> bool:
    return character != "" and character in KEPT_SYMBOLS + KEPT_COMMON + KEPT_LETTERS


def published_head(rare: set[str]) -> Head:
    published = load_rows(PUBLISHED / "last-layer.json")
    common = "£€¥§°©®™«»„“”‘’–—•…·×±½¡¿"

    def is_needed(character: str) -> bool:
        return character == "" or " " <= character <= "~" or character in common or character in rare

    characters = [character for character in published if is_needed(character)]
    added = sorted(rare - set(characters))
    initial = np.zeros((len(added), len(published[""])), np.float32)
    initial[:, -1] = ABSENT
    rows = np.stack([published[character] for character in characters])
    all_characters = characters + added
    return Head(all_characters, np.concatenate([rows, initial]), np.array([one in rare for one in all_characters]))


def read_lines(folder: Path, head: Head) -> list[Line]:
    known, size = set(head.characters), head.rows.shape[1] - 1
    values = np.fromfile(folder / "features.f32", np.float32).reshape(-1, size)
    lines, at = [], 0
    for entry in json.loads((folder / "lines.json").read_text()):
        features = values[at : at + entry["steps"]]
        at += entry["steps"]
        if set(entry["text"]) <= known:
            picture = f"{folder.name} {entry['picture']}"
            lines.append(Line(entry["text"], entry["kind"], picture, entry["half"], features))
    return lines


def train_test_split(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """The lines for training and those for the report. No image is in both."""
    pictures = sorted({line.picture for line in lines if line.half == 0})
    held_out = set(pictures[::HELD_OUT])
    training_lines = [line for line in lines if line.half == 0 and line.picture not in held_out]
    return training_lines, [line for line in lines if line.half == 1 or line.picture in held_out]


def batches(lines: list[Line], head: Head, rng: np.random.Generator) -> Iterator[Batch]:
    """Batches of lines of similar length, in random order; padded to few lengths, so that JAX compiles few shapes."""
    class_of = {character: index for index, character in enumerate(head.characters)}
    order = sorted(lines, key=lambda line: (len(line.features), rng.random()))
    groups = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    rng.shuffle(groups)
    for group in groups:
        steps = -(-max(len(line.features) for line in group) // 64) * 64
        letters = -(-max(len(line.text) for line in group) // 64) * 64
        shape = (BATCH, steps)
        features = np.zeros((*shape, head.rows.shape[1]), np.float32)
        features[:, :, -1] = 1
        logit_padding, label_padding = np.ones(shape, np.float32), np.ones((BATCH, letters), np.float32)
        labels = np.zeros((BATCH, letters), np.int32)
        for row, line in enumerate(group):
            features[row, : len(line.features), :-1] = line.features
            logit_padding[row, : len(line.features)] = 0
            labels[row, : len(line.text)] = [class_of[character] for character in line.text]
            label_padding[row, : len(line.text)] = 0
        yield Batch(features, logit_padding, labels, label_padding)


def train_rows(lines: list[Line], head: Head, epochs: int, learning_rate: float, decay: float, seed: int) -> np.ndarray:
    """Returns all rows; only those of rare characters have changed."""
    rng = np.random.default_rng(seed)
    fixed, is_rare = jnp.asarray(head.rows), jnp.asarray(head.is_rare)[:, None]
    repeated = [line for line in lines for _ in range(REAL if line.is_real else 1)]
    schedule = optax.cosine_decay_schedule(learning_rate, epochs * -(-len(repeated) // BATCH), 0.02)
    optimizer = optax.adam(schedule)
    changes = jnp.zeros_like(fixed)
    state = optimizer.init(changes)

    def loss(changes: jax.Array, batch: Batch) -> jax.Array:
        changes = jnp.where(is_rare, changes, 0)
        logits = batch.features @ (fixed + changes).T
        losses = optax.ctc_loss(logits, batch.logit_padding, batch.labels, batch.label_padding)
        lengths = jnp.maximum(1, (1 - batch.label_padding).sum(axis=1))
        # Illegible lines would dominate the loss.
        return jnp.minimum(losses / lengths, 5).mean() + decay * (changes[:, :-1] ** 2).sum()

    @jax.jit
    def step(changes: jax.Array, state: optax.OptState, batch: Batch):
        value, gradients = jax.value_and_grad(loss)(changes, batch)
        updates, state = optimizer.update(gradients, state, changes)
        return optax.apply_updates(changes, updates), state, value

    for number in range(1, epochs + 1):
        values = []
        for batch in batches(repeated, head, rng):
            changes, state, value = step(changes, state, batch)
            values.append(float(value))
        print(f"epoch {number}: loss {np.mean(values):.4f}", flush=True)
    return np.asarray(jnp.where(is_rare, fixed + changes, fixed))


def greedy(rows: np.ndarray, head: Head, line: Line) -> str:
    scores = line.features @ rows[:, :-1].T + rows[:, -1]
    best = scores.argmax(axis=1)
    kept = [index for at, index in enumerate(best) if index != 0 and (at == 0 or best[at - 1] != index)]
    return " ".join("".join(head.characters[index] for index in kept).split())


def edit_distance(left: str, right: str) -> int:
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def report(rows: np.ndarray, head: Head, lines: list[Line]) -> None:
    """Prints, for each kind, the character error rate, and the rare characters found and invented."""
    rare = {character for character, is_rare in zip(head.characters, head.is_rare) if is_rare}
    kinds: dict[str, list[Line]] = {}
    for line in lines:
        kinds.setdefault(line.kind, []).append(line)
    per_class: dict[str, list[int]] = {}
    for kind, kind_lines in sorted(kinds.items()):
        wrong = letters = found = expected_total = invented = 0
        for line in kind_lines:
            text = greedy(rows, head, line)
            wrong += edit_distance(text, line.text)
            letters += len(line.text)
            for character in rare & (set(text) | set(line.text)):
                expected, read = line.text.count(character), text.count(character)
                found += min(expected, read)
                expected_total += expected
                invented += max(0, read - expected)
                sums = per_class.setdefault(character, [0, 0, 0])
                sums[0] += min(expected, read)
                sums[1] += expected
                sums[2] += max(0, read - expected)
        print(f"  {kind}: {wrong / max(1, letters):.4f} wrong; rare: {found} of {expected_total} found, {invented} invented")
    worst = sorted(per_class.items(), key=lambda item: item[1][0] - item[1][1])[:40]
    print("  " + " ".join(f"{one}{found}/{expected_total}+{invented}" for one, (found, expected_total, invented) in worst))


def shipped_rows(rows: np.ndarray, head: Head) -> tuple[np.ndarray, list[int]]:
    """The rows that the product reads with, and the indexes of the trained ones, which have their prior subtracted."""
    kept = [index for index, one in enumerate(head.characters) if head.is_rare[index] and is_kept(one)]
    shipped = head.rows.copy()
    for index in kept:
        character = head.characters[index]
        shipped[index] = rows[index]
        shipped[index, -1] -= PRIOR["symbol"] if character in KEPT_SYMBOLS else 0
        shipped[index, -1] -= PRIOR["letter"] if character in KEPT_LETTERS else 0
    return shipped, kept


def stored(rows: np.ndarray, head: Head, trained_on: str) -> dict[str, object]:
    """The trained rows in the format of `last-layer.json`: a signed byte per number, a 32-bit float per row."""
    shipped, kept = shipped_rows(rows, head)
    chosen = shipped[kept]
    scales = (np.abs(chosen).max(axis=1) / 127).astype(np.float32)
    weights = np.rint(chosen / scales[:, None]).astype(np.int8)
    return {
        "madeOf": trained_on,
        "characters": [head.characters[index] for index in kept],
        "features": rows.shape[1] - 1,
        "scales": base64.b64encode(scales.tobytes()).decode(),
        "weights": base64.b64encode(weights.tobytes()).decode(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", help="written by training/lines.ts")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--learning-rate", type=float, default=1e-2, help="initial learning rate")
    parser.add_argument("--decay", type=float, default=1e-5, help="penalty of changed weights")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=PUBLISHED / "trained-rows.json")
    options = parser.parse_args()

    listed = {one for folder in options.folders for one in json.loads((folder / "rare.json").read_text())}
    rare = listed | set(KEPT_SYMBOLS) | set(KEPT_COMMON)
    head = published_head(rare)
    lines = [line for folder in options.folders for line in read_lines(folder, head)]
    training_lines, test_lines = train_test_split(lines)
    print(f"{len(training_lines)} training lines, {len(test_lines)} test lines; {len(rare)} rare characters")
    print("before:")
    report(head.rows, head, test_lines)
    rows = train_rows(training_lines, head, options.epochs, options.learning_rate, options.decay, options.seed)
    print("after:")
    report(shipped_rows(rows, head)[0], head, test_lines)
    content = stored(rows, head, f"{len(training_lines)} lines, seed {options.seed}")
    options.out.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n")
    print(options.out)


if __name__ == "__main__":
    main()
