"""Verification of webhooks: valid ones of the server and invalid ones."""

from __future__ import annotations

import os
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from glyphlift import Glyphlift, WebhookRefused, verify_webhook

from .conftest import PICTURE

SECRET = os.environ["GLYPHLIFT_WEBHOOK_SECRET"]
OTHER_SECRET = "whsec_YW5vdGhlciBzZWNyZXQ="


def test_webhook_of_the_server_is_accepted_and_modified_ones_are_rejected(client: Glyphlift) -> None:
    received: list[tuple[dict[str, str], bytes]] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            received.append((dict(self.headers), body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Receiver) as receiver:
        receiver.timeout = 120
        job = client.create_job([PICTURE], webhook=f"http://127.0.0.1:{receiver.server_port}/")
        receiver.handle_request()
    client.delete_job(job.id)
    headers, body = received[0]
    event = verify_webhook(SECRET, headers, body)
    assert (event.type, event.data.id, event.data.counts.done) == ("job.done", job.id, 1)

    sent = {name.lower(): value for name, value in headers.items()}
    sent_at = float(sent["webhook-timestamp"])
    with pytest.raises(WebhookRefused, match="signature"):
        verify_webhook(OTHER_SECRET, headers, body)
    with pytest.raises(WebhookRefused, match="signature"):
        verify_webhook(SECRET, headers, body + b" ")
    with pytest.raises(WebhookRefused, match="signature"):
        verify_webhook(SECRET, sent | {"webhook-id": "another"}, body)
    with pytest.raises(WebhookRefused, match="too far"):
        verify_webhook(SECRET, headers, body, now=sent_at + 301)
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        with pytest.raises(WebhookRefused, match=name):
            verify_webhook(SECRET, {key: value for key, value in sent.items() if key != name}, body)


def test_example_of_standard_webhooks_has_a_valid_signature() -> None:
    """The example of the specification: its signature is valid, but its body is not a job event."""
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    with pytest.raises(WebhookRefused, match="not a job event"):
        verify_webhook(secret, headers, b'{"test": 2432232314}', now=1614265330)
    with pytest.raises(WebhookRefused, match="signature"):
        verify_webhook(secret, headers, b'{"test": 2432232315}', now=1614265330)
