"""Verification of webhooks that are signed by Standard Webhooks (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Mapping

from pydantic import ValidationError

from .errors import WebhookRefused
from .models import WebhookEvent

_PREFIX = "whsec_"


def verify_webhook(
    secret: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    tolerance: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies the signature and the time of a request, and returns its event.

    `body` is the raw body. `tolerance` is the maximum difference between `webhook-timestamp` and `now`, in seconds.
    Deduplicate by `webhook-id`: an event is sent again until the response is 2xx.

    Raises WebhookRefused.
    """
    lowercase = {name.lower(): value for name, value in headers.items()}
    try:
        event_id, timestamp, signatures = (
            lowercase[name] for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
        )
        sent_at = int(timestamp)
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except KeyError as missing:
        raise WebhookRefused(f"the header {missing} is missing") from None
    except binascii.Error:
        raise ValueError("the secret is not a webhook secret") from None
    except ValueError:
        raise WebhookRefused("webhook-timestamp is not a number") from None
    if abs((time.time() if now is None else now) - sent_at) > tolerance:
        raise WebhookRefused("webhook-timestamp is too far from now")
    digest = hmac.new(key, f"{event_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = base64.b64encode(digest)
    given = [signature[3:].encode() for signature in signatures.split() if signature.startswith("v1,")]
    if not any(hmac.compare_digest(expected, signature) for signature in given):
        raise WebhookRefused("no signature matches the secret")
    try:
        return WebhookEvent.model_validate_json(body)
    except ValidationError as error:
        raise WebhookRefused("the body is not a job event") from error
