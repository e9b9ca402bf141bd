"""RapidOCR with requests by line: python rapid-ocr.py v6|v4. reader-process.ts documents the protocol."""
import json
import logging
import os
import sys
import time

logging.disable(logging.CRITICAL)
answers = os.fdopen(3, "w", encoding="utf-8")


def say(answer):
    print(json.dumps(answer), file=answers, flush=True)


if sys.argv[1] == "v6":
    from rapidocr import RapidOCR

    reader = RapidOCR()

    def lines(picture):
        return reader(picture).txts or ()
else:
    from rapidocr_onnxruntime import RapidOCR

    reader = RapidOCR()

    def lines(picture):
        return [text for _, text, _ in reader(picture)[0] or ()]


say({"pid": os.getpid()})
for question in sys.stdin:
    with open(json.loads(question)["file"], "rb") as file:
        picture = file.read()
    start = time.perf_counter()
    try:
        text = "\n".join(lines(picture))
    except Exception:
        # An unreadable picture counts as empty, as it would for its user.
        text = ""
    say({"pid": os.getpid(), "text": text, "milliseconds": (time.perf_counter() - start) * 1000})
