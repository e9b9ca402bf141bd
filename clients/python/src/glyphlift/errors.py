"""Failures of calls."""

from __future__ import annotations

import json

import httpx


class GlyphliftError(Exception):
    """The server refused a call. `code` is stable, `detail` is a sentence for people."""

    def __init__(self, status: int, code: str, detail: str, retry_after: float | None = None) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        #: Seconds after which it is worth trying again, where the server said so.
        self.retry_after = retry_after

    @classmethod
    def of(cls, response: httpx.Response) -> GlyphliftError:
        """From an answer, which may be that of a proxy."""
        try:
            said = json.loads(response.content)
            code, detail = str(said["code"]), str(said["error"])
        except (ValueError, KeyError, TypeError):
            code, detail = "http.unknown", response.reason_phrase
        return cls(response.status_code, code, detail, retry_after_of(response))


class JobTimeout(Exception):
    """A job did not end within the time that was allowed."""


class WebhookRefused(Exception):
    """A request is not a webhook that the server signed just now."""


def retry_after_of(response: httpx.Response) -> float | None:
    """The header as seconds; None without it, or where it is a date."""
    try:
        return float(response.headers["retry-after"])
    except (KeyError, ValueError):
        return None
