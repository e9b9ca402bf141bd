"""Reads the text in a picture: python3 read_picture.py PICTURE"""

import json
import mimetypes
import os
import sys
import uuid
from urllib.error import HTTPError
from urllib.request import Request, urlopen

picture = sys.argv[1]
with open(picture, "rb") as file:
    request = Request(
        f"{os.environ['GLYPHLIFT_URL']}/api/extract-text",
        data=file.read(),
        headers={
            "Authorization": f"Bearer {os.environ['GLYPHLIFT_KEY']}",
            "Content-Type": mimetypes.guess_type(picture)[0] or "image/jpeg",
            "Idempotency-Key": str(uuid.uuid4()),
        },
    )
try:
    with urlopen(request) as response:
        extraction = json.load(response)
except HTTPError as error:
    problem = json.load(error)
    sys.exit(f"{problem['code']}: {problem['detail']}")

print(extraction["extractedText"])
print(f"confidence {extraction['confidence']}%", file=sys.stderr)
