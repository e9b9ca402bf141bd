"""Lets OCRmyPDF read with Glyphlift: ocrmypdf --plugin ocrmypdf_glyphlift.py IN.pdf OUT.pdf

`GLYPHLIFT` is the command, if it is not `glyphlift` on the PATH: GLYPHLIFT="npx --no-install glyphlift". Works with OCRmyPDF
16 and 17, which still ask for an installed tesseract, in their modes that draw the text from hOCR; that is the default.
"""

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from ocrmypdf import OcrEngine, OrientationConfidence, hookimpl
from ocrmypdf.exceptions import ExitCodeException


def glyphlift(*arguments: str) -> str:
    command = shlex.split(os.environ.get("GLYPHLIFT", "glyphlift"))
    try:
        done = subprocess.run([*command, *arguments], capture_output=True, text=True)
    except FileNotFoundError as error:
        raise ExitCodeException(f"{command[0]} was not found; set GLYPHLIFT to the command") from error
    if done.returncode != 0:
        raise ExitCodeException(done.stderr.strip() or f"glyphlift ended with {done.returncode}")
    return done.stdout


class GlyphliftEngine(OcrEngine):
    @staticmethod
    def version() -> str:
        return glyphlift("--version").strip()

    @staticmethod
    def creator_tag(options) -> str:
        return f"Glyphlift {GlyphliftEngine.version()}"

    def __str__(self) -> str:
        return f"Glyphlift {self.version()}"

    @staticmethod
    def languages(options) -> set[str]:
        # A table: a line of titles, a line for each language, and a sum behind an empty line.
        rows = glyphlift("languages").split("\n\n")[0].splitlines()[1:]
        return {row.split()[0] for row in rows}

    @staticmethod
    def get_orientation(input_file: Path, options) -> OrientationConfidence:
        # Pages are read in whatever direction they lie, so none has to be turned for that.
        return OrientationConfidence(angle=0, confidence=0.0)

    @staticmethod
    def generate_hocr(input_file: Path, output_hocr: Path, output_text: Path, options) -> None:
        languages = ["--languages", "+".join(options.languages)] if options.languages else []
        with tempfile.TemporaryDirectory() as folder:
            # OCRmyPDF reads several pages at once, each with a command of its own.
            glyphlift("read", "--format", "hocr,text", "--out", folder, "--jobs", "1", *languages, str(input_file))
            stem = Path(folder, input_file.stem)
            output_hocr.write_text(stem.with_suffix(".hocr").read_text("utf-8"), "utf-8")
            output_text.write_text(stem.with_suffix(".txt").read_text("utf-8"), "utf-8")

    @staticmethod
    def generate_pdf(input_file: Path, output_pdf: Path, output_text: Path, options) -> None:
        raise ExitCodeException("Glyphlift draws the text from hOCR: leave out --pdf-renderer sandwich")


@hookimpl
def get_ocr_engine(options=None) -> OcrEngine:
    return GlyphliftEngine()
