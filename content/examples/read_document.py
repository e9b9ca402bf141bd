"""Reads all pages of pictures and documents as one job: python3 read_document.py FILE..."""

import json
import os
import sys
import time
import uuid
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def call(path, **options):
    headers = {"Authorization": f"Bearer {os.environ['GLYPHLIFT_KEY']}", **options.pop("headers", {})}
    request = Request(f"{os.environ['GLYPHLIFT_URL']}{path}", headers=headers, **options)
    try:
        with urlopen(request) as response:
            return response.headers, response.read()
    except HTTPError as error:
        problem = json.load(error)
        sys.exit(f"{problem['code']}: {problem['detail']}")


boundary = uuid.uuid4().hex
body = b""
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="page"\r\n'
        body += head.encode() + b"Content-Type: application/octet-stream\r\n\r\n" + file.read() + b"\r\n"
body += f"--{boundary}--\r\n".encode()

# If the request is sent again with the same key, it returns the same job.
headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Idempotency-Key": str(uuid.uuid4())}
response_headers, _ = call("/api/jobs", data=body, headers=headers)
path = response_headers["Location"]

while True:
    response_headers, content = call(path)
    job = json.loads(content)
    if job["endedAt"] is not None:
        break
    time.sleep(int(response_headers["Retry-After"]))

for page in job["pages"]:
    if "error" in page:
        print(f"file {page['file']}, page {page['page']}: {page['error']}", file=sys.stderr)
_, text = call(f"{path}/result", headers={"Accept": "text/plain"})
print(text.decode())
# Deletes the pages and texts now. Otherwise the server deletes them an hour after the end of the job.
call(path, method="DELETE")
