"""Client of the Glyphlift API."""

from .client import AsyncGlyphlift, Glyphlift
from .errors import GlyphliftError, JobTimeout, WebhookRefused
from .models import (
    Extraction,
    Job,
    JobResult,
    JobSummary,
    Language,
    Usage,
    WebhookEvent,
)
from .requests import Format, Source
from .webhooks import verify_webhook

__all__ = [
    "AsyncGlyphlift",
    "Extraction",
    "Format",
    "Glyphlift",
    "GlyphliftError",
    "Job",
    "JobResult",
    "JobSummary",
    "JobTimeout",
    "Language",
    "Source",
    "Usage",
    "WebhookEvent",
    "WebhookRefused",
    "verify_webhook",
]
