"""The recognizer's last layer: a row of weights and a bias for each character, published ones and trained ones."""

import base64
import json
from pathlib import Path

import numpy as np

PUBLISHED = Path(__file__).resolve().parent.parent / "scripts/networks/published"
# Signs whose rows are kept. Others are drawn as counterexamples, but they are too rare to be worth an error, only a font
# distinguishes them from common ones, or the published row is better (Greek letters, which have their own shapes in formula fonts).
KEPT_SIGNS = (
    "²³¹½¼¾⅓⅔÷†‡‰′″⁰⁴⁵⁶⁷⁸⁹⁺⁻ⁿ₦₩₪₫₱₴₸₹₺₽₿№←↑→↓↔↵⇐⇒⇔∇∈∉∑√∞∠∩∪∫≈≠≡≤≥≪≫⊂⊕⊥⌀⌘"
    "■□▲△▶▼◀►◄◆◇○◎●◦☀★☆☎☏☐☑☒☺♀♂♠♣♥♦♪♫♭♯⚠⚡✂✅✈✉✓✗❌❤➤⬅⬆⬇⭐‹›"
)
# Common in every text, but often missed by the published row.
KEPT_COMMON = "„"
# Letters whose rows are kept: those of the most frequent languages of names in English texts.
KEPT_LETTERS = "äöüßÄÖÜàâçéèêëîïôùûÀÂÇÉÈÊËÎÏÔÙÛáíñóúÁÍÑÓÚãõÃÕåÅæøÆØąćęłńóśźżĄĆĘŁŃŚŹŻčďěňřšťůýžČĎĚŇŘŠŤŮÝŽőűŐŰășțȘȚğşİĞŞđĐð"
# Subtracted from each score, because drawn lines have many more rare characters than real ones.
PRIOR = {"sign": 3.7, "letter": 1.8}


def rows_in(file: Path) -> dict[str, np.ndarray]:
    """The rows of `last-layer.json` or `trained-rows.json` by their characters. CTC's blank is an empty string."""
    stored = json.loads(file.read_text())
    scales = np.frombuffer(base64.b64decode(stored["scales"]), np.float32)
    weights = np.frombuffer(base64.b64decode(stored["weights"]), np.int8).reshape(len(scales), -1)
    return dict(zip(stored["characters"], weights * scales[:, None]))
