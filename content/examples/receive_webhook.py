"""Receives one webhook and verifies its signature: python3 receive_webhook.py"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

secret = base64.b64decode(os.environ["GLYPHLIFT_WEBHOOK_SECRET"].removeprefix("whsec_"))
received = []


def is_genuine(headers, body):
    """Whether a webhook was signed with the secret within the last five minutes, as specified by Standard Webhooks."""
    timestamp = headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers['webhook-id']}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split(" "))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        genuine = is_genuine(self.headers, body)
        self.send_response(204 if genuine else 400)
        self.end_headers()
        if genuine:
            # A webhook may arrive twice with the same webhook-id. Process each id once.
            received.append(json.loads(body))

    def log_message(self, *_):
        pass


server = HTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver)
print("listening", file=sys.stderr, flush=True)
while not received:
    server.handle_request()
print(received[0]["type"], received[0]["data"]["id"])
