"""Reads the text in a picture: python3 read_picture.py PICTURE"""

import json
import os
import sys
import uuid
from urllib.error import HTTPError
from urllib.request import Request, urlopen

picture = sys.argv[1]
boundary = uuid.uuid4().hex
with open(picture, "rb") as file:
    body = b"\r\n".join(
        [
            f"--{boundary}".encode(),
            b'Content-Disposition: form-data; name="file"; filename="picture"',
            b"Content-Type: application/octet-stream",
            b"",
            file.read(),
            f"--{boundary}--".encode(),
            b"",
        ]
    )

request = Request(
    f"{os.environ['GLYPHLIFT_URL']}/api/extract-text",
    data=body,
    headers={
        "Authorization": f"Bearer {os.environ['GLYPHLIFT_KEY']}",
        "Content-Type": f"multipart/form-data; boundary={boundary}",
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
print(f"{extraction['confidence']}% sure", file=sys.stderr)
