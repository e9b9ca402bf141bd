"""Errors of calls."""

from __future__ import annotations

import json

import httpx


class GlyphliftError(Exception):
    """The server rejected a call. `code` is stable, `detail` is a user message."""

    def __init__(self, status: int, code: str, detail: str, retry_after: float | None = None) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        #: Retry-After in seconds, if the server sent it.
        self.retry_after = retry_after

    @classmethod
    def of(cls, response: httpx.Response) -> GlyphliftError:
        """The error of a response. The body may not be JSON if a proxy sent it."""
        try:
            body = json.loads(response.content)
            code, detail = str(body["code"]), str(body["error"])
        except (ValueError, KeyError, TypeError):
            code, detail = "http.unknown", response.reason_phrase
        return cls(response.status_code, code, detail, retry_after_of(response))


class JobTimeout(Exception):
    """A job did not end within the timeout."""


class WebhookRefused(Exception):
    """The webhook signature is missing, wrong or expired."""


def retry_after_of(response: httpx.Response) -> float | None:
    """The Retry-After header in seconds; None without it or for a date."""
    try:
        return float(response.headers["retry-after"])
    except (KeyError, ValueError):
        return None
