"""Types of the API's responses. `tests/test_models.py` compares these with the server's OpenAPI document.

Boxes are in pixels of the upright image. Confidences are percents, 0 to 100. Unknown fields are ignored, so that a newer
server may send more.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Model(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True)


class Box(Model):
    x: float
    y: float
    width: float
    height: float


class Ruby(Model):
    """The pronunciation of a part of a word, from `start` up to `to` in UTF-16 units of its text."""

    model_config = ConfigDict(alias_generator=lambda name: {"start": "from"}.get(name, name))

    text: str
    confidence: int
    start: int
    to: int


class Point(Model):
    x: float
    y: float


class Word(Model):
    text: str
    confidence: int
    box: Box
    #: The corners of a rotated word, clockwise from the top left in reading direction.
    polygon: list[Point] | None = None
    readings: list[str] | None = None
    ruby: list[Ruby] | None = None


class Line(Model):
    text: str
    confidence: int
    box: Box
    paragraph: int
    words: list[Word]


class HiddenAt(Model):
    line: int
    word: int | None


class HiddenText(Model):
    text: str
    confidence: int
    box: Box
    reason: Literal["interface", "icon", "noise"]
    at: HiddenAt


class Unread(Model):
    box: Box
    why: Literal["other_script", "no_reading"]
    script: str | None = None


class WordRun(Model):
    """Words `start` to `to` (exclusive) of the line with this index."""

    model_config = ConfigDict(alias_generator=lambda name: {"start": "from"}.get(name, name))

    line: int
    start: int
    to: int


class LineRun(Model):
    """Lines `start` to `to` (exclusive)."""

    model_config = ConfigDict(alias_generator=lambda name: {"start": "from"}.get(name, name))

    start: int
    to: int


class Cell(Model):
    row: int
    column: int
    row_span: int
    column_span: int
    box: Box
    confidence: int
    words: list[WordRun]


class Table(Model):
    box: Box
    confidence: int
    rows: int
    columns: int
    header_rows: int
    cells: list[Cell]


class Heading(Model):
    level: int
    lines: LineRun
    box: Box
    confidence: int


class ListItem(Model):
    level: int
    mark: str
    lines: LineRun
    box: Box
    confidence: int


class Field(Model):
    label: list[WordRun]
    value: list[WordRun]
    box: Box
    confidence: int


class Indent(Model):
    line: int
    steps: int


class Layout(Model):
    tables: list[Table]
    headings: list[Heading]
    list_items: list[ListItem]
    fields: list[Field]
    indents: list[Indent]


class Notice(Model):
    code: Literal[
        "no_text",
        "turned",
        "straightened",
        "scaled_down",
        "incomplete",
        "too_small",
        "blurred",
        "first_frame",
        "other_language",
        "unread",
    ]
    message: str


class Image(Model):
    width: int
    height: int
    rotation: float


class LikelyLanguage(Model):
    code: str
    name: str


class Extraction(Model):
    extracted_text: str
    word_count: int
    confidence: int
    lines: list[Line]
    hidden: list[HiddenText]
    unread: list[Unread] | None = None
    layout: Layout | None = None
    image: Image
    language: str
    likely_language: LikelyLanguage | None = None
    duration_ms: float
    notices: list[Notice]


class Language(Model):
    code: str
    name: str
    allowed: bool
    installed: bool


class Languages(Model):
    languages: list[Language]


class Usage(Model):
    image_count: int
    daily_limit: int
    period: Literal["day", "month"]
    resets_at: datetime


State = Literal["queued", "running", "done", "failed", "cancelled"]


class JobPage(Model):
    number: int
    file: int
    page: int
    state: State
    error: str | None = None


class Delivery(Model):
    url: str
    state: Literal["waiting", "delivered", "given_up"]
    tries: int
    last_try_at: datetime | None
    last_status: int | None
    last_error: (
        Literal["address_refused", "unreachable", "timed_out", "redirected", "refused", "secret_missing"]
        | None
    )
    next_try_at: datetime | None


class Counts(Model):
    total: int
    queued: int
    running: int
    done: int
    failed: int
    cancelled: int


class JobSummary(Model):
    id: str
    state: State
    error: str | None = None
    created_at: datetime
    ended_at: datetime | None
    result_until: datetime | None
    files: int
    counts: Counts

    @property
    def has_ended(self) -> bool:
        return self.state not in ("queued", "running")


class Jobs(Model):
    jobs: list[JobSummary]


class Job(JobSummary):
    pages: list[JobPage]
    webhook: Delivery | None


class ResultPage(Model):
    number: int
    file: int
    page: int
    result: Extraction


class JobResult(Model):
    id: str
    pages: list[ResultPage]


class WebhookJob(Model):
    id: str
    state: Literal["done", "failed"]
    error: str | None = None
    counts: Counts
    url: str


class WebhookEvent(Model):
    type: Literal["job.done", "job.failed"]
    timestamp: datetime
    data: WebhookJob
