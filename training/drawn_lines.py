"""Renders lines of text as the product's detector crops them: gray, 48 pixels high, dark ink on light paper.

Lines in Latin letters have their ground truth, for training; lines in other letters have none, for distillation.

The materials folder contains `fonts/*.ttf` (`hand.txt`, `mono.txt` and `display.txt` list the families of these kinds), `cjk/` and `other/`
with fonts of other scripts, and `words/CODE.txt` with the words of each language; `en.txt` is required.
"""

import random
import re
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont

HEIGHT = 48
# Widths in pixels. All lines of a batch have the same width; a line is stretched or padded to the next width.
WIDTHS = (128, 256, 384, 576, 832)
# Pixels per step of the network's output.
STEP = 8
UNITS = (
    "µm mm cm km m m² m³ m³/h km/h °C °F K kg g mg µg L l ml mL dl % ‰ Hz kHz MHz GHz V kV mV A mA µA W kW kWh Ω kΩ MΩ N Pa kPa hPa "
    "bar dB px pt em rpm m/s m/s² µF nF pF nm Å ° ′ ″ oz lb ft in. mg/L g/cm³ mol J kJ kcal MB GB TB KB Mbit/s"
).split()
FORMULAS = "H₂O CO₂ C₆H₁₂O₆ H₂SO₄ NaHCO₃ Ca²⁺ SO₄²⁻ x₁ a₀ 10⁻⁶ 10³ m² 2⁸ x² CH₄ Fe₂O₃ NH₄⁺".split()
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec January March April June September October December".split()
CAPITALS, DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
HEX = ("0123456789abcdef", "0123456789ABCDEF")
# Alphabets of random strings: codes, look-alikes, punctuation.
ALPHABETS = (
    CAPITALS + DIGITS,
    CAPITALS.lower() + DIGITS,
    "Il1|!i/\\[]()jt7L",
    "O0oQDC8B6G5S2Zz",
    "".join(map(chr, range(33, 127))),
    "rnmvvwwuucldhb",
    ".,:;'\"`´’‘“”-–—_~^°*",
)
# Weights of the kinds of fonts, by the kind of text; "sign" is text on signs and posters.
FONT_WEIGHTS = {
    "print": {"print": 6, "mono": 2, "display": 2, "hand": 2},
    "code": {"print": 1, "mono": 8, "display": 0.3, "hand": 0.3},
    "sign": {"print": 3, "mono": 1, "display": 5, "hand": 3},
}
# Unicode ranges of other scripts, by a part of the font's file name.
OTHER_SCRIPTS = {"Arabic": (0x621, 0x64A), "Thai": (0xE01, 0xE2E), "Devanagari": (0x905, 0x939), "Hebrew": (0x5D0, 0x5EA)}
CYRILLIC_AND_GREEK = ((0x410, 0x44F), (0x430, 0x44F), (0x3B1, 0x3C9))


@dataclass(frozen=True)
class Font:
    path: str
    family: str
    kind: str
    characters: frozenset[int]


@dataclass(frozen=True)
class DrawnLine:
    pixels: np.ndarray  # (48, one of WIDTHS), bytes
    text: str
    kind: str  # kind of its font


def fonts_in(folder: Path) -> list[Font]:
    listed = {kind: set((folder / f"{kind}.txt").read_text().split()) for kind in ("hand", "mono", "display")}
    found = []
    for path in sorted(folder.glob("*.ttf")):
        family = re.sub(r"-(400|700)-(normal|italic)$", "", path.stem)
        kind = next((kind for kind, families in listed.items() if family in families), "print")
        kind = "mono" if "Mono" in family else kind
        found.append(Font(str(path), family, kind, frozenset(TTFont(path, lazy=True).getBestCmap())))
    return found


class TextGenerator:
    """Generates lines of text of many kinds: prose, names, receipts, codes, source code, formulas, addresses, forms."""

    def __init__(self, rng: random.Random, materials: Path, characters: list[str], prose: list[str], code: list[str]):
        self.rng, self.prose, self.code = rng, prose, code
        words = {path.stem: path.read_text(encoding="utf8").split("\n") for path in sorted((materials / "words").glob("*.txt"))}
        self.english = words.pop("en")
        self.foreign_words = words
        receipts = materials / "receipts.txt"
        self.receipts = receipts.read_text(encoding="utf8").split("\n") if receipts.exists() else []
        self.symbols = [one for one in characters if one and not one.isascii() and not one.isalpha()]
        self.letters = [one for one in characters if one and not one.isascii() and one.isalpha()]

    def line(self) -> tuple[str, str]:
        """A text and a kind of text in `FONT_WEIGHTS`, which determines its font."""
        choice = self.rng.choice
        kinds = (
            (16, self.excerpt, ("print",)),
            (14, self.sentence, ("print", "print", "sign")),
            (13, self.foreign, ("print",)),
            (10, self.receipt, ("print",)),
            (10, self.with_code, ("print", "code", "sign")),
            (9, self.program, ("code",)),
            (8, self.formula, ("print",)),
            (6, self.address, ("print", "code")),
            (5, self.form, ("print",)),
            (4, self.string, ("print", "code", "sign")),
            (2, self.with_rare_letter, ("print",)),
            (3, lambda: choice((self.date, self.money, self.number, self.word))(), ("print", "sign")),
        )
        _, make, fonts = self.rng.choices(kinds, [weight for weight, _, _ in kinds])[0]
        text = make()
        if self.rng.random() < 0.06 and "ß" not in text:
            text = text.upper()
        return " ".join(text.split()), choice(fonts)

    def random_string(self, alphabet: str, minimum: int, maximum: int) -> str:
        return "".join(self.rng.choice(alphabet) for _ in range(self.rng.randint(minimum, maximum)))

    def word(self) -> str:
        word, case = self.rng.choice(self.english), self.rng.random()
        return word.capitalize() if case < 0.2 else word.upper() if case < 0.28 else word

    def plain_word(self) -> str:
        return self.rng.choice(self.english).lower().replace("'", "")

    def words(self, minimum: int, maximum: int) -> str:
        return " ".join(self.word() for _ in range(self.rng.randint(minimum, maximum)))

    def number(self) -> str:
        r = self.rng
        whole, cents = r.randrange(10 ** r.randint(1, 6)), r.randrange(100)
        return r.choices(
            (
                str(whole),
                f"{whole % 10000}{r.choice('.,')}{cents:02d}",
                f"{r.randrange(1, 999)},{r.randrange(1000):03d}" + r.choice(("", f".{cents:02d}")),
                f"{cents}.{r.randrange(10)}",
                f"{r.choice('-–−+±')}{whole % 1000}",
                f"{r.randrange(10)}{r.choice('½¼¾⅓⅔')}",
            ),
            (30, 30, 15, 10, 8, 7),
        )[0]

    def date(self) -> str:
        r = self.rng
        day, month, year, name = r.randint(1, 31), r.randint(1, 12), r.randint(1900, 2030), r.choice(MONTHS)
        half = r.choice(("AM", "PM", "am", "pm", "a.m.", "p.m."))
        return r.choice(
            (
                f"{day:02d}/{month:02d}/{year}",
                f"{year}-{month:02d}-{day:02d}",
                f"{day}.{month}.{year}",
                f"{name} {day}, {year}",
                f"{day} {name} {year}",
                f"{r.randint(0, 23):02d}:{r.randint(0, 59):02d}",
                f"{r.randint(1, 12)}:{r.randint(0, 59):02d} {half}",
            )
        )

    def money(self) -> str:
        before = self.rng.choice(("$", "£", "€", "¥", "RM", "USD ", "EUR ", "₹", "", "-$"))
        after = self.rng.choice(("", "", "", " €", " kr", " zł", " Kč", " CHF", "%", " SR", " T"))
        return before + self.number().lstrip("+±") + after

    def code_token(self) -> str:
        r, random_string = self.rng, self.random_string
        kinds = (
            lambda: random_string(HEX[0], *r.choice(((6, 8), (12, 12), (32, 32), (40, 40)))),
            lambda: "0x" + random_string(r.choice(HEX), 2, 8),
            lambda: "-".join(random_string(CAPITALS + DIGITS, 5, 5) for _ in range(r.randint(3, 5))),
            lambda: random_string(CAPITALS, 2, 2) + random_string(DIGITS, 2, 2) + "".join(" " + random_string(DIGITS, 4, 4) for _ in range(r.randint(3, 5))),
            lambda: random_string(CAPITALS, 1, 3) + random_string(DIGITS, 1, 4) + r.choice(("", " ")) + random_string(CAPITALS, 0, 3),
            lambda: random_string(CAPITALS, 1, 2) + random_string(DIGITS, 1, 2) + random_string(CAPITALS, 0, 1) + " " + random_string(DIGITS, 1, 1) + random_string(CAPITALS, 2, 2),
            lambda: random_string(CAPITALS + DIGITS, 6, 14),
            lambda: random_string(CAPITALS + CAPITALS.lower() + DIGITS, 6, 24),
            lambda: ".".join(str(r.randrange(256)) for _ in range(4)) + r.choice(("", f":{r.randrange(65536)}")),
            lambda: ":".join(random_string(HEX[1], 2, 2) for _ in range(6)),
            lambda: "#" + random_string(r.choice(HEX), *r.choice(((3, 3), (6, 6)))),
            lambda: random_string(CAPITALS, 1, 4) + "-" + random_string(DIGITS, 2, 6) + r.choice(("", "-" + random_string(CAPITALS, 1, 1), "/" + random_string(DIGITS, 2, 2))),
            lambda: "v" + ".".join(str(r.randrange(30)) for _ in range(3)) + r.choice(("", "-rc.1", "-beta", "+" + random_string(HEX[0], 7, 7))),
            lambda: f"({random_string(DIGITS, 3, 3)}) {random_string(DIGITS, 3, 3)}-{random_string(DIGITS, 4, 4)}",
            lambda: "+" + random_string(DIGITS, 2, 2) + "".join(" " + random_string(DIGITS, 2, 4) for _ in range(3)),
            lambda: (random_string(CAPITALS + DIGITS + "<", 10, 30) + "<" * r.randint(0, 12))[:36],
        )
        return r.choice(kinds)()

    def with_code(self) -> str:
        return self.code_token() if self.rng.random() < 0.5 else f"{self.word()} {self.code_token()} {self.word()}"

    def address(self) -> str:
        r, word = self.rng, self.plain_word
        kinds = (
            lambda: f"{word()}{r.choice(('', '.', '_', '-'))}{word()}@{word()}.{r.choice(('com', 'org', 'de', 'co.uk', 'io', 'fr'))}",
            lambda: r.choice(("https://", "http://", "www.", "")) + f"{word()}.{r.choice(('com', 'org', 'net', 'de', 'io', 'app'))}"
            + "".join("/" + word() for _ in range(r.randint(0, 3))) + r.choice(("", f"?id={r.randrange(9999)}", "#" + word(), ".html")),
            lambda: r.choice(("/usr/", "./", "~/", "C:\\", "../", "/")) + "/".join(word() for _ in range(r.randint(1, 4))) + r.choice((".txt", ".ts", "/", ".pdf")),
            lambda: "_".join(word() for _ in range(r.randint(1, 3))),
            lambda: word() + word().capitalize(),
            lambda: f"__{word()}_{word()}__",
            lambda: "--" + "-".join(word() for _ in range(r.randint(1, 3))),
            lambda: r.choice("@#") + word() + r.choice(("", "_" + word(), str(r.randrange(99)))),
        )
        return r.choice(("", "", self.word())) + " " + r.choice(kinds)()

    def formula(self) -> str:
        r, number = self.rng, self.number
        unit, variable = r.choice(UNITS), r.choice("abcdefghijklmnpqrstuvwxyzABCDEFGHKLMNPQRSTVXYZαβγδεθλμπρσφω")
        return r.choice(
            (
                f"{variable} = {variable}{r.choice('²³¹ⁿ⁴')} {r.choice('+-−–×÷·±')} {number()}",
                f"{number()} {r.choice('×x÷+−-=≈≠≤≥<>·')} {number()} {r.choice('=≈≤≥<>')} {number()}",
                f"{r.choice('≥≤<>≈~±')} {number()} {unit}",
                f"{number()} {unit}",
                f"{number()}{unit}",
                f"{number()}{r.choice('–-−')}{number()} {unit}",
                f"{number()} × {number()} × {number()} {unit}",
                r.choice(FORMULAS),
                f"{r.choice('☑☐☒✓✗✔•◦▪■→►–*★№§¶†')} {self.words(2, 2)}",
                f"{self.word()} {r.choice(self.symbols)} {self.word()}",
                f"{self.word()} {r.choice('→←↔⇒⇐↑↓≠≈')} {self.word()}",
                f"{self.word()}{r.choice('©®™°²³¹†‡*§')} {self.word()}",
            )
        )

    def excerpt(self) -> str:
        if not self.prose:
            return self.sentence()
        text, length = self.rng.choice(self.prose), self.rng.randint(8, 60)
        start = self.rng.randrange(max(1, len(text) - length))
        part = text[start : start + length]
        part = part.partition(" ")[2] or part
        return part.rpartition(" ")[0] or part

    def sentence(self) -> str:
        r = self.rng
        words = [self.word() if r.random() < 0.9 else self.number() for _ in range(r.randint(1, 9))]
        for _ in range(r.randint(1, 3) if r.random() < 0.3 else 0):
            at = r.randrange(len(words))
            mark = r.choice((",", ".", ";", ":", "!", "?", "'s", "’s", "—", "...", "…", ")", "”", '"', "’", "'"))
            words[at] += mark
            opening = {")": "(", "”": "“", '"': '"', "’": "‘"}.get(mark)
            if opening:
                words[max(0, at - 2)] = opening + words[max(0, at - 2)]
        return " ".join(words)

    def foreign(self) -> str:
        r = self.rng
        language = r.choice(list(self.foreign_words))
        own = self.foreign_words[language]
        if r.random() < 0.35:
            return f"{self.words(1, 3)} {r.choice(own).capitalize()} {self.words(0, 3)}"
        words = [r.choice(own) for _ in range(r.randint(1, 7))]
        words = [word.capitalize() if r.random() < 0.2 else word for word in words]
        x = r.random()
        if language == "es" and x < 0.3:
            return r.choice(("¿{}?", "¡{}!")).format(" ".join(words))
        quoted = {"fr": "« {} »", "de": "„{}“", "cs": "„{}“", "pl": "„{}”", "hu": "„{}”", "ro": "„{}”"}.get(language, "{}")
        return quoted.format(" ".join(words)) if x < 0.15 else " ".join(words) + (r.choice(".,!?:;") if x < 0.4 else "")

    def receipt(self) -> str:
        r = self.rng
        label = r.choice(("TOTAL", "Total", "SUBTOTAL", "Tax", "VAT 20%", "CASH", "CHANGE", "Balance due", "Amount", "GST 6%", "Tip"))
        field = r.choice(("Date", "Time", "Invoice No", "Tel", "Ref", "No.", "Order #", "Bill", "Table", "Cashier"))
        kinds = [
            lambda: f"{r.randint(1, 20)} {r.choice(('x ', 'X ', '@ ', ''))}{self.words(2, 2)} {self.money()}",
            lambda: f"{label}{r.choice((':', '', ' :'))} {self.money()}",
            lambda: f"{field}{r.choice((':', '', ' :', '.'))} {r.choice((self.date, self.code_token, self.number))()}",
            lambda: f"{self.code_token()} {self.number()} {self.money()}",
        ]
        if self.receipts:
            kinds += [lambda: r.choice(self.receipts)] * 2
        return r.choice(kinds)()

    def form(self) -> str:
        r = self.rng
        blank, leader = "_" * r.randint(3, 20), r.choice((".", ". ", "·", "…")) * r.randint(4, 25)
        return r.choice(
            (
                f"{self.word()}: {blank}",
                f"{self.word()} {blank} {self.word()} {blank}",
                f"{self.words(2, 2)} {leader} {r.randrange(400)}",
                r.choice(("[ ] ", "[x] ", "( ) ", "- ", "* ", "> ", ">> ", "1. ", "a) ", "iv. ", "• ")) + self.sentence(),
                f"{self.word()} | {self.word()} | {self.number()}",
            )
        )

    def program(self) -> str:
        if not self.code:
            return self.address()
        text, length = self.rng.choice(self.code), self.rng.randint(6, 50)
        return text[:length] if self.rng.random() < 0.7 else text[-length:]

    def string(self) -> str:
        text = self.random_string(self.rng.choice(ALPHABETS), 1, 14)
        return text if self.rng.random() < 0.6 else f"{self.word()} {text}"

    def with_rare_letter(self) -> str:
        word = list(self.word())
        word[self.rng.randrange(len(word))] = self.rng.choice(self.letters)
        return f"{self.words(0, 3)} {''.join(word)}"


class LineRenderer:
    """Renders lines and degrades them like photographs: uneven light, low resolution, blur, noise, compression."""

    def __init__(self, seed: int, materials: Path, fonts: list[Font], texts: TextGenerator, characters: list[str]):
        self.rng, self.noise = random.Random(seed), np.random.default_rng(seed)
        self.texts, self.supported = texts, set(characters)
        self.fonts = {kind: [font for font in fonts if font.kind == kind] for kind in FONT_WEIGHTS["print"]}
        # These fonts have nearly all symbols.
        self.fallback_fonts = [font for font in fonts if font.family.startswith(("DejaVu", "Free", "Symbola"))]
        self.ideographic = [str(path) for path in sorted((materials / "cjk").glob("*"))]
        self.other = [str(path) for path in sorted((materials / "other").glob("*"))]
        self.font_cache: dict[tuple[str, int], ImageFont.FreeTypeFont] = {}

    def line(self) -> DrawnLine:
        while True:
            text, kind = self.texts.line()
            text = " ".join("".join(one for one in text if one in self.supported).split())
            font = self.font_for(text, kind) if 0 < len(text) <= 90 else None
            crop = font and self.crop_line(text, font)
            pixels = self.fit_width(crop) if crop is not None and font else None
            # CTC needs a step for each character, and one between two equal characters.
            steps = len(text) + sum(one == other for one, other in zip(text, text[1:]))
            if pixels is not None and font and steps <= 0.92 * pixels.shape[1] / STEP:
                return DrawnLine(pixels, text, font.kind)

    def line_in_other_letters(self) -> np.ndarray:
        """A line of random letters, which suffices to compare the features of two networks."""
        r = self.rng
        while True:
            if r.random() < 0.7:
                path, ranges = r.choice(self.ideographic), r.choices(((0x4E00, 0x9FA5), (0x3042, 0x30F3), (0xAC00, 0xD7A3)), (55, 30, 15))
                text = "".join(chr(r.randint(*ranges[0])) for _ in range(r.randint(2, 16))) + r.choice(("", "。", "、12"))
            else:
                path = r.choice(self.other)
                found = next((letters for name, letters in OTHER_SCRIPTS.items() if name in path), None)
                letters = found or r.choice(CYRILLIC_AND_GREEK)
                text = " ".join("".join(chr(r.randint(*letters)) for _ in range(r.randint(2, 9))) for _ in range(r.randint(1, 5)))
            renderedPages = self.render(text, path, r.randint(26, 50))
            if renderedPages is None:
                continue
            ink, (left, top, right, bottom), _ = renderedPages
            height = bottom - top
            margins = [round(height * r.uniform(0.03, 0.25)) for _ in range(4)]
            pixels = self.fit_width(self.degrade(ink, (left - margins[0], top - margins[1], right + margins[2], bottom + margins[3])))
            if pixels is not None:
                return pixels

    def font_for(self, text: str, kind: str) -> Font | None:
        needed, weights = {ord(one) for one in text if one != " "}, FONT_WEIGHTS[kind]
        drawn_kinds = [self.fonts[self.rng.choices(list(weights), list(weights.values()))[0]] for _ in range(8)]
        tried = [self.rng.choice(fonts) for fonts in drawn_kinds if fonts] + self.rng.sample(self.fallback_fonts, len(self.fallback_fonts))
        return next((font for font in tried if needed <= font.characters), None)

    def opened_font(self, path: str, size: int) -> ImageFont.FreeTypeFont:
        if len(self.font_cache) > 400:
            self.font_cache.clear()
        return self.font_cache.setdefault((path, size), ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC))

    def render(self, text: str, path: str, size: int, spacing: float = 0, stroke: int = 0):
        """The ink (bytes, 255 is full), its bounding box and the baseline; None for an almost empty image."""
        font = self.opened_font(path, size)
        parts = list(text) if spacing else [text]
        widths = [font.getlength(part) + spacing * size for part in parts]
        canvas = Image.new("L", (int(sum(widths)) + 4 * size, 5 * size))
        draw, x = ImageDraw.Draw(canvas), 2.0 * size
        for part, width in zip(parts, widths):
            draw.text((x, 1.5 * size), part, fill=255, font=font, stroke_width=stroke)
            x += width
        ink = np.asarray(canvas)
        rows, columns = np.flatnonzero(ink.max(1) > 60), np.flatnonzero(ink.max(0) > 60)
        if len(rows) < 2 or len(columns) < 2:
            return None
        box = (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
        return ink, box, int(1.5 * size) + font.getmetrics()[0]

    def crop_line(self, text: str, font: Font) -> np.ndarray | None:
        """Renders a line with margins like those of the detector, sometimes with parts of other lines, rules or borders in them."""
        r = self.rng
        size = r.randint(30, 60)
        spacing = r.uniform(0.02, 0.25) if font.kind != "hand" and r.random() < 0.1 else 0
        renderedPages = self.render(text, font.path, size, spacing, stroke=int(r.random() < 0.05))
        if renderedPages is None:
            return None
        ink, (left, top, right, bottom), baseline = renderedPages
        full = size * r.uniform(0.75, 1.05)
        if bottom - top < 0.55 * full:
            # The detector's box around dashes or periods is as high as a box around letters.
            middle = baseline - 0.35 * size if r.random() < 0.7 else (top + bottom) / 2
            top, bottom = min(top, int(middle - full / 2)), max(bottom, int(middle + full / 2))
        height = bottom - top
        above, below = (int(height * (r.uniform(0.03, 0.24) if r.random() < 0.93 else r.uniform(-0.05, 0.03))) for _ in range(2))
        box = (left - int(height * r.uniform(0.02, 0.5)), top - above, right + int(height * r.uniform(0.02, 0.5)), bottom + below)
        ink = ink.copy()
        if r.random() < 0.12:
            self.add_neighbors(ink, font.path, size, box)
        self.add_rules(ink, size, box, baseline)
        return self.degrade(ink, box)

    def add_neighbors(self, ink: np.ndarray, path: str, size: int, box: tuple[int, int, int, int]) -> None:
        left, top, right, bottom = box
        other = self.render(self.texts.words(3, 6), path, size)
        if other is None:
            return
        pixels, (x0, y0, x1, y1), _ = other
        pixels = pixels[y0:y1, x0:x1]
        reach = round((bottom - top) * self.rng.uniform(0, 0.1))
        for start in (top - len(pixels) + reach, bottom - reach):
            first, last = max(0, start), min(len(ink), start + len(pixels))
            width = min(pixels.shape[1], ink.shape[1] - max(0, left))
            if last > first and self.rng.random() < 0.6:
                part = ink[first:last, max(0, left) : max(0, left) + width]
                np.maximum(part, pixels[first - start : last - start, :width], out=part)

    def add_rules(self, ink: np.ndarray, size: int, box: tuple[int, int, int, int], baseline: int) -> None:
        r, (left, top, right, bottom) = self.rng, box
        thickness, kind = max(1, int(size * r.uniform(0.03, 0.08))), r.random()
        if kind < 0.05:
            at = baseline + int(size * r.uniform(0.06, 0.2))
            part = ink[at : at + thickness, max(0, left) : right]
            np.maximum(part, r.randint(120, 255), out=part)
        elif kind < 0.08:
            rules = [ink[at : at + thickness] for at in (top + 1, bottom - thickness - 1) if r.random() < 0.6 and at > 0]
            rules += [ink[:, at : at + thickness] for at in (left + 1, right - thickness - 1) if r.random() < 0.4 and at > 0]
            for part in rules:
                np.maximum(part, r.randint(90, 255), out=part)

    def degrade(self, ink: np.ndarray, box: tuple[int, int, int, int]) -> np.ndarray:
        r, noise = self.rng, self.noise
        crop = self.warp(ink, box).astype(np.float32) / 255
        kind = r.random()
        if kind < 0.06:
            crop = cv2.dilate(crop, np.ones((2, 2), np.uint8))
        elif kind < 0.1:
            crop = cv2.erode(crop, np.ones((2, 2), np.uint8))
        shape = crop.shape[::-1]
        if r.random() < 0.08:
            wear = cv2.resize(noise.random((max(2, shape[1] // 3), max(2, shape[0] // 3)), np.float32), shape)
            crop = crop * np.clip(2 * wear + r.uniform(-0.2, 0.6), 0, 1)
        if r.random() < 0.03:
            crop = crop * dot_matrix(crop.shape, r.randint(3, 5))
        paper = r.uniform(150, 255)
        contrast = r.uniform(45, 110) if r.random() < 0.18 else paper - r.uniform(0, 110)
        image = paper - contrast * crop
        if r.random() < 0.25:
            fall = np.linspace(0, r.uniform(0, 0.22), shape[0], dtype=np.float32)
            image = image * (1 - (fall if r.random() < 0.5 else fall[::-1]))
        if r.random() < 0.2:
            stains = noise.normal(0, r.uniform(2, 14), (r.randint(3, 12), r.randint(6, 40))).astype(np.float32)
            image = image + cv2.resize(stains, shape, interpolation=cv2.INTER_CUBIC)
        height = int(np.exp(r.uniform(np.log(11), np.log(70))))
        if height < len(image):
            image = cv2.resize(image, (max(6, round(shape[0] * height / len(image))), height), interpolation=cv2.INTER_AREA)
        kind = r.random()
        if kind < 0.35:
            image = cv2.GaussianBlur(image, (0, 0), r.uniform(0.3, 0.9 if height < 24 else 1.6))
        elif kind < 0.4:
            image = cv2.blur(image, r.choice(((3, 1), (1, 3), (5, 1))))
        if r.random() < 0.4:
            image = image + noise.normal(0, r.uniform(1, 12), image.shape)
        levels = np.clip(image, 0, 255).astype(np.uint8)
        if r.random() < 0.18:
            levels = 255 - levels
        if r.random() < 0.45:
            _, jpeg = cv2.imencode(".jpg", levels, [cv2.IMWRITE_JPEG_QUALITY, r.randint(18, 92)])
            levels = cv2.imdecode(jpeg, cv2.IMREAD_GRAYSCALE)
        return levels

    def warp(self, ink: np.ndarray, box: tuple[int, int, int, int]) -> np.ndarray:
        """Crops the box, slightly rotated, sheared and curved. Works on bytes, because cv2.remap turns some floats into NaN."""
        r, (left, top, right, bottom) = self.rng, box
        width, height = right - left, bottom - top
        move = np.float32([[1, 0, -left], [0, 1, -top], [0, 0, 1]])
        if r.random() < 0.55:
            fall = float(np.clip(np.tan(r.gauss(0, 0.012)) * width / 2, -0.12 * height, 0.12 * height))
            shear = r.gauss(0, 0.06) * height if r.random() < 0.5 else 0
            corners = np.float32([[left, top], [right, top], [right, bottom], [left, bottom]])
            moved = np.float32([[shear, fall], [width + shear, -fall], [width, height - fall], [0, height + fall]])
            if r.random() < 0.5:
                moved += self.noise.normal(0, 0.03 * height, (4, 2)).astype(np.float32)
            move = cv2.getPerspectiveTransform(corners, moved)
        crop = cv2.warpPerspective(ink, move, (width, height), flags=cv2.INTER_LINEAR)
        if r.random() < 0.15:
            x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
            wave = height * r.uniform(0.01, 0.06) * np.sin(r.uniform(0, 6.28) + 6.28 * x / (height * r.uniform(4, 20)))
            crop = cv2.remap(crop, x, y + wave.astype(np.float32), cv2.INTER_LINEAR)
        return crop

    def fit_width(self, crop: np.ndarray) -> np.ndarray | None:
        """Scales a line to 48 pixels in height, and stretches and pads it to one of `WIDTHS`. None if it is too long."""
        r = self.rng
        natural = crop.shape[1] * HEIGHT / len(crop) * r.uniform(0.92, 1.08)
        width = next((width for width in WIDTHS if natural <= 1.08 * width), None)
        if width is None:
            return None
        line_width = max(12, int(min(width, natural * r.uniform(1, 1.15))))
        interpolation = cv2.INTER_AREA if len(crop) > 2 * HEIGHT else cv2.INTER_LINEAR
        line = cleaned(cv2.resize(crop, (line_width, HEIGHT), interpolation=interpolation))
        background = max(200, int(np.median(np.concatenate([line[:, :2].ravel(), line[:, -2:].ravel()]))))
        fitted = np.full((HEIGHT, width), background, np.uint8)
        start = r.randint(0, min(24, width - line_width))
        fitted[:, start : start + line_width] = line
        return fitted


def dot_matrix(shape: tuple[int, int], spacing: int) -> np.ndarray:
    """A mask of dots, as printed by a dot matrix printer."""
    y, x = np.mgrid[: shape[0], : shape[1]] % spacing - spacing / 2
    return (x**2 + y**2 < (0.45 * spacing) ** 2).astype(np.float32)


def cleaned(gray: np.ndarray, black: float = 0.01, white: float = 0.8) -> np.ndarray:
    """Dark ink on light paper with full contrast, like `cleaned` in src/ocr/page/crop.ts."""
    counts = np.bincount(gray.ravel(), minlength=256)
    if counts[: otsu_threshold(counts) + 1].sum() > 0.55 * gray.size:
        counts, gray = counts[::-1], 255 - gray
    ranks = counts.cumsum()
    dark = int(np.searchsorted(ranks, gray.size * black))
    light = max(dark + 20, int(np.searchsorted(ranks, gray.size * white)))
    return np.clip((gray.astype(np.float32) - dark) * 255 / (light - dark), 0, 255).astype(np.uint8)


def otsu_threshold(counts: np.ndarray) -> int:
    below, sums = counts.cumsum().astype(float), (counts * np.arange(256)).cumsum().astype(float)
    above = below[-1] - below
    with np.errstate(all="ignore"):
        variance = below * above * (sums / below - (sums[-1] - sums) / above) ** 2
    return int(np.nan_to_num(variance).argmax())
