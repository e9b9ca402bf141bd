"""Trains the network of the line recognizer on drawn lines: fonts, codes, signs and accents that the published one reads poorly.

    python training/recognizer.py --network FILE --materials FOLDER --out FILE [--seconds 400] [--start FILE]

`--network` is PP-OCRv6 small in 8 bits, as `published_networks.py` writes it. The last layer stays as it is, so that only the features
learn: on drawn lines in Latin letters by CTC, and on lines in other letters (drawn, and of pictures) by distillation from the
published network, which they must not move away from. Takes one GPU, and processors that draw. The folder of materials is described in
`drawn_lines.py`; further files in it are

    characters.json   printed by `characters.ts`
    prose.json        {"prose": [...], "code": [...]}: paragraphs and program lines of any texts
    lines/*.png       lines of pictures, as the detector cuts them out, to distil on
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

from drawn_lines import WIDTHS, DrawnLine, LinePainter, Texts, fonts_in
from onnx_in_torch import OnnxNetwork, in_eight_bits
from rows import KEPT_LETTERS, KEPT_SIGNS, PRIOR, PUBLISHED, rows_in

# Lines in a batch, and the share of batches, of each width.
SIZES = dict(zip(WIDTHS, (320, 224, 160, 112, 80)))
SHARES = (0.10, 0.25, 0.25, 0.25, 0.15)
DISTILLED = {"width": 384, "size": 48}
# Lines that the drawing processes pass on together, and lines of each width that are kept to be drawn from.
PORTION, KEPT = 16, 40_000
LONGEST_TEXT = 96
RATE, WARM_STEPS = 2.5e-4, 60
# Weights of the loss's parts beside CTC's; a character costs at most `MOST`, so that illegible lines do not outweigh the rest.
DISTILLATION, DECAY, MOST = 0.6, 1e-3, 4.0
AVERAGING = 0.995
# One family of fonts in this many is for the report alone.
HELD_OUT = 10
# Scores of a character that a set of rows does not have.
NEVER = np.append(np.zeros(120, np.float32), np.float32(-30))


def painter(seed: int, materials: Path, characters: list[str], held_out: bool = False) -> LinePainter:
    fonts = fonts_in(materials / "fonts")
    families = sorted({font.family for font in fonts})
    held = set(families[3::HELD_OUT])
    lines = json.loads((materials / "prose.json").read_text())
    texts = Texts(random.Random(seed), materials, characters, lines["prose"], lines["code"])
    return LinePainter(seed, materials, [font for font in fonts if (font.family in held) == held_out], texts, characters)


def draw(seed: int, materials: Path, characters: list[str], lines: multiprocessing.Queue, others: multiprocessing.Queue) -> None:
    """A process that draws for ever."""
    own, class_of = painter(seed, materials, characters), {one: index for index, one in enumerate(characters)}
    drawn: dict[int, list] = {width: [] for width in WIDTHS}
    foreign: list[np.ndarray] = []
    while True:
        if own.chance.random() < 0.1:
            foreign.append(at_width(own.line_in_other_letters(), DISTILLED["width"]))
        else:
            line = own.line()
            drawn[line.pixels.shape[1]].append((line.pixels, [class_of[one] for one in line.text]))
        if len(foreign) == PORTION:
            others.put(foreign)
            foreign = []
        for width, some in drawn.items():
            if len(some) == PORTION:
                lines.put((width, some))
                drawn[width] = []


def at_width(pixels: np.ndarray, width: int) -> np.ndarray:
    return np.pad(pixels[:, :width], ((0, 0), (0, max(0, width - pixels.shape[1]))), constant_values=255)


class Pool:
    """The latest drawn lines: each is used once before any is used again."""

    def __init__(self, chance: np.random.Generator):
        self.chance, self.lines, self.unused = chance, [], 0

    def add(self, some: list) -> None:
        for one in some:
            if len(self.lines) < KEPT:
                self.lines.append(one)
            else:
                self.lines[self.chance.integers(KEPT)] = one

    def take(self, count: int) -> list:
        fresh = self.lines[self.unused : self.unused + count]
        self.unused += len(fresh)
        return fresh + [self.lines[self.chance.integers(len(self.lines))] for _ in range(count - len(fresh))]


@dataclass(frozen=True)
class Head:
    """Class 0 is CTC's blank. A character's score is the best of its rows of 120 weights and a bias, without priors."""

    characters: list[str]
    sets: list[np.ndarray]  # (classes, 121)
    all_rows: np.ndarray  # of every published character


def head_of(characters: list[str]) -> Head:
    published, trained = (rows_in(PUBLISHED / name) for name in ("last-layer.json", "trained-rows.json"))
    first = np.stack([published.get(one, NEVER) for one in characters])
    second = np.stack([trained.get(one, published.get(one, NEVER)) for one in characters])
    for index, one in enumerate(characters):
        if one in trained:
            # Training has as many rare characters as others.
            second[index, -1] += PRIOR["sign"] if one in KEPT_SIGNS else PRIOR["letter"] if one in KEPT_LETTERS else 0
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

    def log_chances(self, features: torch.Tensor) -> torch.Tensor:
        scores = [features @ rows[:, :-1].T + rows[:, -1] for rows in self.sets]
        return F.log_softmax(torch.maximum(*scores), -1)

    def ctc(self, params, pixels: np.ndarray, texts: list[list[int]]) -> torch.Tensor:
        """The mean loss of a character."""
        chances = self.log_chances(self.features(params, pixels)).transpose(0, 1)
        lengths = torch.tensor([len(text) for text in texts])
        labels = torch.tensor([text + [0] * (LONGEST_TEXT - len(text)) for text in texts], device=self.device)
        steps = torch.full((len(texts),), len(chances))
        losses = F.ctc_loss(chances, labels, steps, lengths, reduction="none", zero_infinity=True)
        return (losses / lengths.to(self.device)).clamp_max(MOST).mean()

    def distance(self, params, published, pixels: np.ndarray) -> torch.Tensor:
        """From the published network: the divergence of the chances of all characters, and the relative distance of the features."""
        own = self.features(params, pixels)
        with torch.no_grad():
            theirs = self.features(published, pixels)
        rows = self.all_rows
        chances, wanted = (F.log_softmax(features @ rows[:, :-1].T + rows[:, -1], -1) for features in (own, theirs))
        divergence = (wanted.exp() * (wanted - chances)).sum(-1).mean()
        return divergence + ((own - theirs) ** 2).mean() / (theirs**2).mean()

    @torch.no_grad()
    def read(self, params, pixels: np.ndarray) -> str:
        classes = self.log_chances(self.features(params, pixels[None]))[0].argmax(-1).tolist()
        kept = [one for at, one in enumerate(classes) if one and (at == 0 or classes[at - 1] != one)]
        return "".join(self.characters[one] for one in kept).strip()


def report(name: str, recognizer: Recognizer, params, lines: list[DrawnLine]) -> None:
    """Prints the share of lines, in fonts that nothing was learned from, that are read without an error."""
    right: dict[str, list[bool]] = {}
    for line in lines:
        right.setdefault(line.kind, []).append(recognizer.read(params, line.pixels) == line.text)
    print(name, {kind: f"{sum(some)} of {len(some)}" for kind, some in sorted(right.items())}, flush=True)


def trained(recognizer: Recognizer, published, start, lines: dict[int, Pool], others: Pool, real: list[np.ndarray], seconds: float):
    """The moving average of the parameters."""
    chance = np.random.default_rng(1)
    params = {name: value.clone().requires_grad_() for name, value in start.items()}
    average = {name: value.clone() for name, value in start.items()}
    optimizer = torch.optim.Adam(params.values(), lr=RATE, betas=(0.9, 0.99))
    began, step = time.monotonic(), 0
    while (share := (time.monotonic() - began) / seconds) < 1:
        warm = min(1, (step + 1) / WARM_STEPS)
        optimizer.param_groups[0]["lr"] = RATE * warm * (0.02 + 0.49 * (1 + np.cos(np.pi * share)))
        width = int(chance.choice(WIDTHS, p=SHARES))
        some = lines[width].take(SIZES[width])
        loss = recognizer.ctc(params, np.stack([pixels for pixels, _ in some]), [text for _, text in some])
        distance = recognizer.distance(params, published, np.stack(others.take(DISTILLED["size"])))
        if real:
            picked = [at_width(real[chance.integers(len(real))], DISTILLED["width"]) for _ in range(DISTILLED["size"])]
            distance = distance + 2 * recognizer.distance(params, published, np.stack(picked))
        change = sum(((params[name] - published[name]) ** 2).sum() for name in params)
        optimizer.zero_grad(set_to_none=True)
        (loss + DISTILLATION * distance + DECAY * change).backward()
        torch.nn.utils.clip_grad_norm_(params.values(), 1.0)
        optimizer.step()
        with torch.no_grad():
            for name, value in average.items():
                value.lerp_(params[name], 1 - AVERAGING)
        step += 1
        if step % 100 == 0:
            print(f"{step}: loss {loss.item():.3f}, distance {distance.item():.3f}", flush=True)
    return average


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--network", type=Path, required=True)
    parser.add_argument("--materials", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="a network that was trained before, to go on from")
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
            width, some = drawn.get()
            lines[width].add(some)
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
    held_out = painter(7, options.materials, characters, held_out=True)
    reported = [held_out.line() for _ in range(600)]
    while not all(pool.lines for pool in (*lines.values(), others)):
        time.sleep(0.5)
    report("before:", recognizer, start, reported)
    average = trained(recognizer, published, start, lines, others, real, options.seconds)
    report("after:", recognizer, average, reported)
    network.save({name: value.detach().cpu().numpy() for name, value in average.items()}, options.out)


if __name__ == "__main__":
    main()
