"""Trains the feature network of the line recognizer on rendered lines with fonts, codes, symbols and accents that the published network reads poorly.

    python training/recognizer.py --network FILE --materials FOLDER --out FILE [--seconds 400] [--start FILE]

`--network` is PP-OCRv6 small in 8 bits, as `published_networks.py` writes it. The last layer is frozen. The features are trained by CTC on
renderedPages lines in Latin letters, and by distillation from the published network on lines in other letters (renderedPages, and from images), so
that these are read as before. Needs a GPU, and CPU cores that render lines. The materials folder is described in `drawn_lines.py`; it
also contains

    characters.json   printed by `characters.ts`
    prose.json        {"prose": [...], "code": [...]}: paragraphs of text and lines of programs
    lines/*.png       lines of images, as the detector crops them, for distillation
"""

import argparse
import json
import multiprocessing
import random
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F

from drawn_lines import WIDTHS, DrawnLine, LineRenderer, TextGenerator, fonts_in
from onnx_in_torch import OnnxNetwork, in_eight_bits
from last_layer_weights import KEPT_LETTERS, KEPT_SYMBOLS, PRIOR, PUBLISHED, load_rows

# Lines per batch, and the fraction of batches, for each width.
BATCH_SIZES = dict(zip(WIDTHS, (320, 224, 160, 112, 80)))
BATCH_SHARES = (0.10, 0.25, 0.25, 0.25, 0.15)
DISTILLATION_BATCH = {"width": 384, "size": 48}
# Lines per message of a rendering process, and lines of each width in the pool from which batches are sampled.
CHUNK, POOL_SIZE = 16, 40_000
MAX_TEXT_LENGTH = 96
LEARNING_RATE, WARMUP_STEPS = 2.5e-4, 60
# Weights of the other loss terms relative to CTC. The loss per character is clamped, so that illegible lines do not dominate.
DISTILLATION_WEIGHT, WEIGHT_DECAY, MAX_CHARACTER_LOSS = 0.6, 1e-3, 4.0
EMA_DECAY = 0.995
# One font family in this many is only for the report.
HELD_OUT = 10
# The row of a character that is missing in a set of rows.
IMPOSSIBLE = np.append(np.zeros(120, np.float32), np.float32(-30))


def renderer_of(seed: int, materials: Path, characters: list[str], held_out: bool = False) -> LineRenderer:
    fonts = fonts_in(materials / "fonts")
    families = sorted({font.family for font in fonts})
    test_families = set(families[3::HELD_OUT])
    lines = json.loads((materials / "prose.json").read_text())
    texts = TextGenerator(random.Random(seed), materials, characters, lines["prose"], lines["code"])
    return LineRenderer(seed, materials, [font for font in fonts if (font.family in test_families) == held_out], texts, characters)


def draw(seed: int, materials: Path, characters: list[str], lines: multiprocessing.Queue, others: multiprocessing.Queue) -> None:
    """Renders lines in an endless loop; runs in a separate process."""
    own, class_of = renderer_of(seed, materials, characters), {one: index for index, one in enumerate(characters)}
    drawn: dict[int, list] = {width: [] for width in WIDTHS}
    foreign: list[np.ndarray] = []
    while True:
        if own.rng.random() < 0.1:
            foreign.append(pad_to_width(own.line_in_other_letters(), DISTILLATION_BATCH["width"]))
        else:
            line = own.line()
            drawn[line.pixels.shape[1]].append((line.pixels, [class_of[one] for one in line.text]))
        if len(foreign) == CHUNK:
            others.put(foreign)
            foreign = []
        for width, batch in drawn.items():
            if len(batch) == CHUNK:
                lines.put((width, batch))
                drawn[width] = []


def pad_to_width(pixels: np.ndarray, width: int) -> np.ndarray:
    return np.pad(pixels[:, :width], ((0, 0), (0, max(0, width - pixels.shape[1]))), constant_values=255)


class Pool:
    """The latest rendered lines: new lines are used once before lines are sampled again."""

    def __init__(self, rng: np.random.Generator):
        self.rng, self.lines, self.unused = rng, [], 0

    def add(self, batch: list) -> None:
        for one in batch:
            if len(self.lines) < POOL_SIZE:
                self.lines.append(one)
            else:
                self.lines[self.rng.integers(POOL_SIZE)] = one

    def take(self, count: int) -> list:
        fresh = self.lines[self.unused : self.unused + count]
        self.unused += len(fresh)
        return fresh + [self.lines[self.rng.integers(len(self.lines))] for _ in range(count - len(fresh))]


@dataclass(frozen=True)
class Head:
    """Class 0 is CTC's blank. A class has a row of 120 weights and a bias in each set; its score is the maximum over the sets, without priors."""

    characters: list[str]
    sets: list[np.ndarray]  # (classes, 121)
    all_rows: np.ndarray  # (published characters, 121)


def head_of(characters: list[str]) -> Head:
    published, trained_rows = (load_rows(PUBLISHED / name) for name in ("last-layer.json", "trained-rows.json"))
    first = np.stack([published.get(one, IMPOSSIBLE) for one in characters])
    second = np.stack([trained_rows.get(one, published.get(one, IMPOSSIBLE)) for one in characters])
    for index, one in enumerate(characters):
        if one in trained_rows:
            # Rare characters are frequent in training, so their rows need no prior here.
            second[index, -1] += PRIOR["symbol"] if one in KEPT_SYMBOLS else PRIOR["letter"] if one in KEPT_LETTERS else 0
    return Head(characters, [first, second], np.stack(list(published.values())))


class Recognizer:
    def __init__(self, network: OnnxNetwork, head: Head, device: str):
        self.network, self.device, self.characters = network.to(device), device, head.characters
        self.sets = [torch.tensor(rows, device=device) for rows in head.sets]
        self.all_rows = torch.tensor(head.all_rows, device=device)

    def features(self, params, pixels: np.ndarray) -> torch.Tensor:
        """(N, 48, width) bytes to (N, width / 8, 120)."""
        levels = torch.from_numpy(pixels).to(self.device).float() / 127.5 - 1
        return self.network(in_eight_bits(self.network, params), levels[:, None].expand(-1, 3, -1, -1).contiguous())

    def log_probabilities(self, features: torch.Tensor) -> torch.Tensor:
        scores = [features @ rows[:, :-1].T + rows[:, -1] for rows in self.sets]
        return F.log_softmax(torch.maximum(*scores), -1)

    def ctc(self, params, pixels: np.ndarray, texts: list[list[int]]) -> torch.Tensor:
        """The mean loss per character."""
        log_probs = self.log_probabilities(self.features(params, pixels)).transpose(0, 1)
        lengths = torch.tensor([len(text) for text in texts])
        labels = torch.tensor([text + [0] * (MAX_TEXT_LENGTH - len(text)) for text in texts], device=self.device)
        steps = torch.full((len(texts),), len(log_probs))
        losses = F.ctc_loss(log_probs, labels, steps, lengths, reduction="none", zero_infinity=True)
        return (losses / lengths.to(self.device)).clamp_max(MAX_CHARACTER_LOSS).mean()

    def distillation_loss(self, params, published, pixels: np.ndarray) -> torch.Tensor:
        """KL divergence of the character probabilities from those of the published network, plus the relative squared distance of the features."""
        own = self.features(params, pixels)
        with torch.no_grad():
            published_features = self.features(published, pixels)
        rows = self.all_rows
        log_probs, target_log_probs = (F.log_softmax(features @ rows[:, :-1].T + rows[:, -1], -1) for features in (own, published_features))
        divergence = (target_log_probs.exp() * (target_log_probs - log_probs)).sum(-1).mean()
        return divergence + ((own - published_features) ** 2).mean() / (published_features**2).mean()

    @torch.no_grad()
    def read(self, params, pixels: np.ndarray) -> str:
        classes = self.log_probabilities(self.features(params, pixels[None]))[0].argmax(-1).tolist()
        kept = [one for at, one in enumerate(classes) if one and (at == 0 or classes[at - 1] != one)]
        return "".join(self.characters[one] for one in kept).strip()


def report(name: str, recognizer: Recognizer, params, lines: list[DrawnLine]) -> None:
    """Prints how many lines in fonts of the test set are read without an error."""
    right: dict[str, list[bool]] = {}
    for line in lines:
        right.setdefault(line.kind, []).append(recognizer.read(params, line.pixels) == line.text)
    print(name, {kind: f"{sum(batch)} of {len(batch)}" for kind, batch in sorted(right.items())}, flush=True)


def train(recognizer: Recognizer, published, start, lines: dict[int, Pool], others: Pool, real: list[np.ndarray], seconds: float):
    """Returns the exponential moving average of the parameters."""
    rng = np.random.default_rng(1)
    params = {name: value.clone().requires_grad_() for name, value in start.items()}
    average = {name: value.clone() for name, value in start.items()}
    optimizer = torch.optim.Adam(params.values(), lr=LEARNING_RATE, betas=(0.9, 0.99))
    start_time, step = time.monotonic(), 0
    while (progress := (time.monotonic() - start_time) / seconds) < 1:
        warmup = min(1, (step + 1) / WARMUP_STEPS)
        optimizer.param_groups[0]["lr"] = LEARNING_RATE * warmup * (0.02 + 0.49 * (1 + np.cos(np.pi * progress)))
        width = int(rng.choice(WIDTHS, p=BATCH_SHARES))
        batch = lines[width].take(BATCH_SIZES[width])
        loss = recognizer.ctc(params, np.stack([pixels for pixels, _ in batch]), [text for _, text in batch])
        distillation_loss = recognizer.distillation_loss(params, published, np.stack(others.take(DISTILLATION_BATCH["size"])))
        if real:
            real_batch = [pad_to_width(real[rng.integers(len(real))], DISTILLATION_BATCH["width"]) for _ in range(DISTILLATION_BATCH["size"])]
            distillation_loss = distillation_loss + 2 * recognizer.distillation_loss(params, published, np.stack(real_batch))
        weight_change = sum(((params[name] - published[name]) ** 2).sum() for name in params)
        optimizer.zero_grad(set_to_none=True)
        (loss + DISTILLATION_WEIGHT * distillation_loss + WEIGHT_DECAY * weight_change).backward()
        torch.nn.utils.clip_grad_norm_(params.values(), 1.0)
        optimizer.step()
        with torch.no_grad():
            for name, value in average.items():
                value.lerp_(params[name], 1 - EMA_DECAY)
        step += 1
        if step % 100 == 0:
            print(f"{step}: loss {loss.item():.3f}, distance {distillation_loss.item():.3f}", flush=True)
    return average


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--network", type=Path, required=True)
    parser.add_argument("--materials", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="a network from an earlier run, to continue from")
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--processes", type=int, default=max(1, multiprocessing.cpu_count() - 1))
    parser.add_argument("--seed", type=int, default=100)
    options = parser.parse_args()

    characters = json.loads((options.materials / "characters.json").read_text())
    spawning = multiprocessing.get_context("spawn")
    drawn, foreign = spawning.Queue(400), spawning.Queue(60)
    for number in range(options.processes):
        task = (options.seed + number, options.materials, characters, drawn, foreign)
        spawning.Process(target=draw, args=task, daemon=True).start()
    lines, others = {width: Pool(np.random.default_rng(width)) for width in WIDTHS}, Pool(np.random.default_rng(0))

    def collect() -> None:
        while True:
            width, batch = drawn.get()
            lines[width].add(batch)
            while not foreign.empty():
                others.add(foreign.get())

    threading.Thread(target=collect, daemon=True).start()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = torch.backends.cudnn.benchmark = True
    network = OnnxNetwork(options.network)
    on_device = lambda params: {name: torch.tensor(value, device=device) for name, value in params.items()}
    published = on_device(network.params)
    start = on_device(OnnxNetwork(options.start).params) if options.start else published
    recognizer = Recognizer(network, head_of(characters), device)
    real = [cv2.imread(str(path), cv2.IMREAD_GRAYSCALE) for path in sorted((options.materials / "lines").glob("*.png"))]
    held_out = renderer_of(7, options.materials, characters, held_out=True)
    reported = [held_out.line() for _ in range(600)]
    while not all(pool.lines for pool in (*lines.values(), others)):
        time.sleep(0.5)
    report("before:", recognizer, start, reported)
    average = train(recognizer, published, start, lines, others, real, options.seconds)
    report("after:", recognizer, average, reported)
    network.save({name: value.detach().cpu().numpy() for name, value in average.items()}, options.out)


if __name__ == "__main__":
    main()
