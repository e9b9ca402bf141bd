"""Webhooks, signed as Standard Webhooks says (https://www.standardwebhooks.com)."""

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
    """Verifies signature and time of a request, and returns its event.

    `body` is what arrived, byte by byte. `tolerance` is how many seconds old, or ahead, a request may be. Remember
    `webhook-id`: an event is sent again until it is answered with 2xx.

    Raises WebhookRefused.
    """
    named = {name.lower(): value for name, value in headers.items()}
    try:
        identity, moment, signatures = (
            named[name] for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
        )
        sent = int(moment)
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except KeyError as missing:
        raise WebhookRefused(f"the header {missing} is missing") from None
    except binascii.Error:
        raise ValueError("the secret is not one of a webhook") from None
    except ValueError:
        raise WebhookRefused("webhook-timestamp is not a number") from None
    if abs((time.time() if now is None else now) - sent) > tolerance:
        raise WebhookRefused("webhook-timestamp is too far from now")
    signed = hmac.new(key, f"{identity}.{moment}.".encode() + body, hashlib.sha256).digest()
    expected = base64.b64encode(signed)
    given = [one[3:].encode() for one in signatures.split() if one.startswith("v1,")]
    if not any(hmac.compare_digest(expected, one) for one in given):
        raise WebhookRefused("the signature is not that of this secret")
    try:
        return WebhookEvent.model_validate_json(body)
    except ValidationError as error:
        raise WebhookRefused("the body is not an event of a job") from error
