"""Trains rows of the line recognizer's last layer for characters that are rare in English text.

    python training/last_layer.py FOLDER...

PP-OCRv6 small (Apache-2.0) has rows for most of them, trained on few samples of each; for some it has none. Its features stay
unchanged, and so do the rows of the blank and of the letters, digits and marks of every text. The lines come from
`training/lines.ts`, which runs the network on drawn and real lines as the product does. A line is T steps of 8 pixels × F = 120
features.
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

from rows import KEPT_COMMON, KEPT_LETTERS, KEPT_SIGNS, PRIOR, PUBLISHED, rows_in

BATCH = 32
# One in this many drawn pages, and real pictures of the tuning half, is held out.
HELD_OUT = 8
# Repetitions of each real line per round, relative to each drawn one: real lines are the negative examples.
REAL = 3
# Initial score of a new row, at which the character is practically impossible.
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
    features: np.ndarray  # (N, T, F + 1): the last one is 1
    unread: np.ndarray  # (N, T): 1 behind a line's end
    labels: np.ndarray  # (N, L)
    unwritten: np.ndarray  # (N, L): 1 behind a text's end


def is_kept(character: str) -> bool:
    return character != "" and character in KEPT_SIGNS + KEPT_COMMON + KEPT_LETTERS


def published_head(rare: set[str]) -> Head:
    published = rows_in(PUBLISHED / "last-layer.json")
    common = "£€¥§°©®™«»„“”‘’–—•…·×±½¡¿"

    def is_needed(character: str) -> bool:
        return character == "" or " " <= character <= "~" or character in common or character in rare

    characters = [character for character in published if is_needed(character)]
    added = sorted(rare - set(characters))
    start = np.zeros((len(added), len(published[""])), np.float32)
    start[:, -1] = ABSENT
    rows = np.stack([published[character] for character in characters])
    every = characters + added
    return Head(every, np.concatenate([rows, start]), np.array([one in rare for one in every]))


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


def parted(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """The lines for training and those for the report. No picture is in both."""
    pictures = sorted({line.picture for line in lines if line.half == 0})
    held = set(pictures[::HELD_OUT])
    learnt = [line for line in lines if line.half == 0 and line.picture not in held]
    return learnt, [line for line in lines if line.half == 1 or line.picture in held]


def batched(lines: list[Line], head: Head, chance: np.random.Generator) -> Iterator[Batch]:
    """Batches of lines of similar length, in random order; padded to few lengths, so that few shapes are compiled."""
    class_of = {character: index for index, character in enumerate(head.characters)}
    order = sorted(lines, key=lambda line: (len(line.features), chance.random()))
    groups = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    chance.shuffle(groups)
    for group in groups:
        steps = -(-max(len(line.features) for line in group) // 64) * 64
        letters = -(-max(len(line.text) for line in group) // 64) * 64
        shape = (BATCH, steps)
        features = np.zeros((*shape, head.rows.shape[1]), np.float32)
        features[:, :, -1] = 1
        unread, unwritten = np.ones(shape, np.float32), np.ones((BATCH, letters), np.float32)
        labels = np.zeros((BATCH, letters), np.int32)
        for row, line in enumerate(group):
            features[row, : len(line.features), :-1] = line.features
            unread[row, : len(line.features)] = 0
            labels[row, : len(line.text)] = [class_of[character] for character in line.text]
            unwritten[row, : len(line.text)] = 0
        yield Batch(features, unread, labels, unwritten)


def trained(lines: list[Line], head: Head, rounds: int, pace: float, decay: float, seed: int) -> np.ndarray:
    """All rows; those of common characters stay unchanged."""
    chance = np.random.default_rng(seed)
    fixed, is_rare = jnp.asarray(head.rows), jnp.asarray(head.is_rare)[:, None]
    seen = [line for line in lines for _ in range(REAL if line.is_real else 1)]
    schedule = optax.cosine_decay_schedule(pace, rounds * -(-len(seen) // BATCH), 0.02)
    optimiser = optax.adam(schedule)
    changes = jnp.zeros_like(fixed)
    state = optimiser.init(changes)

    def loss(changes: jax.Array, batch: Batch) -> jax.Array:
        changes = jnp.where(is_rare, changes, 0)
        logits = batch.features @ (fixed + changes).T
        losses = optax.ctc_loss(logits, batch.unread, batch.labels, batch.unwritten)
        lengths = jnp.maximum(1, (1 - batch.unwritten).sum(axis=1))
        # Illegible lines would outweigh the rest.
        return jnp.minimum(losses / lengths, 5).mean() + decay * (changes[:, :-1] ** 2).sum()

    @jax.jit
    def step(changes: jax.Array, state: optax.OptState, batch: Batch):
        value, slope = jax.value_and_grad(loss)(changes, batch)
        updates, state = optimiser.update(slope, state, changes)
        return optax.apply_updates(changes, updates), state, value

    for number in range(1, rounds + 1):
        values = []
        for batch in batched(seen, head, chance):
            changes, state, value = step(changes, state, batch)
            values.append(float(value))
        print(f"round {number}: loss {np.mean(values):.4f}", flush=True)
    return np.asarray(jnp.where(is_rare, fixed + changes, fixed))


def greedy(rows: np.ndarray, head: Head, line: Line, prior: float) -> str:
    scores = line.features @ rows[:, :-1].T + rows[:, -1] - prior * head.is_rare
    best = scores.argmax(axis=1)
    kept = [index for at, index in enumerate(best) if index != 0 and (at == 0 or best[at - 1] != index)]
    return " ".join("".join(head.characters[index] for index in kept).split())


def edits(left: str, right: str) -> int:
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def report(rows: np.ndarray, head: Head, lines: list[Line], prior: float) -> None:
    """Prints, for each kind, the character error rate, the rare characters found, and the false ones."""
    rare = {character for character, is_rare in zip(head.characters, head.is_rare) if is_rare}
    kinds: dict[str, list[Line]] = {}
    for line in lines:
        kinds.setdefault(line.kind, []).append(line)
    per_class: dict[str, list[int]] = {}
    for kind, some in sorted(kinds.items()):
        wrong = letters = found = wanted = false = 0
        for line in some:
            text = greedy(rows, head, line, prior)
            wrong += edits(text, line.text)
            letters += len(line.text)
            for character in rare & (set(text) | set(line.text)):
                there, read = line.text.count(character), text.count(character)
                found += min(there, read)
                wanted += there
                false += max(0, read - there)
                sums = per_class.setdefault(character, [0, 0, 0])
                sums[0] += min(there, read)
                sums[1] += there
                sums[2] += max(0, read - there)
        print(f"  {kind}: {wrong / max(1, letters):.4f} wrong; rare: {found} of {wanted} found, {false} false")
    poor = sorted(per_class.items(), key=lambda item: item[1][0] - item[1][1])[:40]
    print("  " + " ".join(f"{one}{found}/{wanted}+{false}" for one, (found, wanted, false) in poor))


def stored(rows: np.ndarray, head: Head, made_of: str) -> dict[str, object]:
    """The rare rows in the format of `last-layer.json`: a signed byte per number, a 32-bit float per row."""
    kept = [index for index, one in enumerate(head.characters) if head.is_rare[index] and is_kept(one)]
    chosen = rows[kept]
    chosen[[head.characters[index] in KEPT_SIGNS for index in kept], -1] -= PRIOR["sign"]
    chosen[[head.characters[index] in KEPT_LETTERS for index in kept], -1] -= PRIOR["letter"]
    scales = (np.abs(chosen).max(axis=1) / 127).astype(np.float32)
    weights = np.rint(chosen / scales[:, None]).astype(np.int8)
    return {
        "madeOf": made_of,
        "characters": [head.characters[index] for index in kept],
        "features": rows.shape[1] - 1,
        "scales": base64.b64encode(scales.tobytes()).decode(),
        "weights": base64.b64encode(weights.tobytes()).decode(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", help="that training/lines.ts has written")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--pace", type=float, default=1e-2, help="of the first steps")
    parser.add_argument("--decay", type=float, default=1e-5, help="against changes")
    parser.add_argument("--prior", type=float, default=6.0, help="against rare characters, in the report alone")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=PUBLISHED / "trained-rows.json")
    options = parser.parse_args()

    listed = {one for folder in options.folders for one in json.loads((folder / "rare.json").read_text())}
    rare = listed | set(KEPT_SIGNS) | set(KEPT_COMMON)
    head = published_head(rare)
    lines = [line for folder in options.folders for line in read_lines(folder, head)]
    learnt, held = parted(lines)
    print(f"{len(learnt)} lines to learn from, {len(held)} to report on; {len(rare)} rare characters")
    print("before:")
    report(head.rows, head, held, options.prior)
    rows = trained(learnt, head, options.rounds, options.pace, options.decay, options.seed)
    print("after:")
    report(rows, head, held, options.prior)
    content = stored(rows, head, f"{len(learnt)} lines, seed {options.seed}")
    options.out.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n")
    print(options.out)


if __name__ == "__main__":
    main()
