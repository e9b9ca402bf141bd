"""The rows of the recognizer's last layer: the weights and the bias of each character, published and trained."""

import base64
import json
from pathlib import Path

import numpy as np

PUBLISHED = Path(__file__).resolve().parent.parent / "scripts/networks/published"
# Symbols whose trained rows are shipped. Other symbols are rendered as negative examples; their rows are not shipped, because they are too
# rare, only a font distinguishes them from common ones, or the published row is better (Greek letters in formula fonts).
KEPT_SYMBOLS = (
    "²³¹½¼¾⅓⅔÷†‡‰′″⁰⁴⁵⁶⁷⁸⁹⁺⁻ⁿ₦₩₪₫₱₴₸₹₺₽₿№←↑→↓↔↵⇐⇒⇔∇∈∉∑√∞∠∩∪∫≈≠≡≤≥≪≫⊂⊕⊥⌀⌘"
    "■□▲△▶▼◀►◄◆◇○◎●◦☀★☆☎☏☐☑☒☺♀♂♠♣♥♦♪♫♭♯⚠⚡✂✅✈✉✓✗❌❤➤⬅⬆⬇⭐‹›"
)
# Common in every text, but often missed by the published row.
KEPT_COMMON = "„"
# Letters whose trained rows are shipped: those of the languages that most foreign names in English texts come from.
KEPT_LETTERS = "äöüßÄÖÜàâçéèêëîïôùûÀÂÇÉÈÊËÎÏÔÙÛáíñóúÁÍÑÓÚãõÃÕåÅæøÆØąćęłńóśźżĄĆĘŁŃŚŹŻčďěňřšťůýžČĎĚŇŘŠŤŮÝŽőűŐŰășțȘȚğşİĞŞđĐð"
# Subtracted from the score of a shipped row, because rendered lines have many more rare characters than real lines.
PRIOR = {"symbol": 3.7, "letter": 1.8}


def load_rows(file: Path) -> dict[str, np.ndarray]:
    """The rows of `last-layer.json` or `trained-rows.json` by character. CTC's blank is the empty string."""
    stored = json.loads(file.read_text())
    scales = np.frombuffer(base64.b64decode(stored["scales"]), np.float32)
    weights = np.frombuffer(base64.b64decode(stored["weights"]), np.int8).reshape(len(scales), -1)
    return dict(zip(stored["characters"], weights * scales[:, None]))
