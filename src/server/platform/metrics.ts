import { ERRORS } from '#contract/error-codes';

/** All metrics: every public name once, with all values of its labels. `docs/operations.md` explains each. */

interface MetricDefinition {
  kind: 'counter' | 'histogram' | 'gauge';
  help: string;
  /** Allowed values of a label, or their maximum number per process. All others become `other`. */
  labels: Readonly<Record<string, readonly string[] | number>>;
  buckets?: readonly number[];
}

const metric = <const S extends MetricDefinition>(shape: S): S => shape;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const STATUSES = ['1xx', '2xx', '3xx', '4xx', '5xx', 'aborted'] as const;
const PRIORITIES = ['premium', 'free', 'preview', 'job'] as const;
const STAGES = ['decoding', 'finding-lines', 'reading', 'ordering'] as const;
const KINDS = ['text', 'preview', 'pages'] as const;
const SANDBOX_PARTS = ['network', 'files', 'processes', 'privileges', 'user', 'memory'] as const;

/** Error codes without `recognition.`. */
const FAILURES = Object.keys(ERRORS)
  .filter((code) => code.startsWith('recognition.'))
  .map(outcomeOf);
const OUTCOMES = ['read', 'no_text', ...FAILURES];

const ENGINE_OUTCOMES = [
  'done',
  'unsupported',
  'vector',
  'damaged',
  'too_many_pixels',
  'too_costly',
  'encrypted',
  'too_many_pages',
  'no_such_page',
  'language_unavailable',
  'language_not_fetched',
  'queue_full',
  'timed_out',
  'aborted',
  'crashed',
  'stopping',
  'unavailable',
  'internal',
] as const;

/** Buckets from a page request to the longest extraction. Seconds. */
const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120] as const;

/** Maximum number of route patterns. */
const MAX_ROUTES = 200;

export const METRICS = {
  glyphlift_build_info: metric({
    kind: 'gauge',
    help: 'Always 1; labels the running version.',
    labels: { version: 1 },
  }),

  glyphlift_http_request_duration_seconds: metric({
    kind: 'histogram',
    help: 'Duration of requests, from their head to the end of the answer, by route pattern.',
    labels: { method: METHODS, route: MAX_ROUTES, status: STATUSES },
    buckets: SECONDS,
  }),
  glyphlift_http_requests_in_flight: metric({
    kind: 'gauge',
    help: 'Requests without an answer yet, event streams included.',
    labels: {},
  }),
  glyphlift_refusals_total: metric({
    kind: 'counter',
    help: 'Refused or failed requests, by error code.',
    labels: { code: Object.keys(ERRORS) },
  }),
  glyphlift_uploads_in_flight: metric({
    kind: 'gauge',
    help: 'Uploads, from their first byte to their answer.',
    labels: {},
  }),
  glyphlift_upload_bytes: metric({
    kind: 'gauge',
    help: 'Bytes of those uploads in memory.',
    labels: {},
  }),
  glyphlift_upload_limit_bytes: metric({
    kind: 'gauge',
    help: 'Limit of these bytes: UPLOAD_MEMORY_MB.',
    labels: {},
  }),

  glyphlift_extractions_total: metric({
    kind: 'counter',
    help: 'Requested extractions, by outcome.',
    labels: { outcome: OUTCOMES },
  }),
  glyphlift_previews_total: metric({
    kind: 'counter',
    help: 'Requested previews, by outcome.',
    labels: { outcome: ['drawn', ...FAILURES] },
  }),
  glyphlift_jobs_total: metric({
    kind: 'counter',
    help: 'Finished jobs, by outcome.',
    labels: { outcome: ['done', 'failed', 'interrupted', 'cancelled'] },
  }),
  glyphlift_job_pages_total: metric({
    kind: 'counter',
    help: 'Pages of jobs, by outcome; each is also an extraction.',
    labels: { outcome: ['done', 'failed'] },
  }),
  glyphlift_jobs_under_way: metric({
    kind: 'gauge',
    help: 'Jobs that this server is running.',
    labels: {},
  }),
  glyphlift_job_bytes: metric({
    kind: 'gauge',
    help: 'Memory of files and texts of jobs: of this server, or with Redis of all servers.',
    labels: {},
  }),
  glyphlift_webhooks_total: metric({
    kind: 'counter',
    help: 'Attempts to deliver a webhook, by outcome.',
    labels: { outcome: ['delivered', 'delayed', 'given_up'] },
  }),
  glyphlift_webhooks_waiting: metric({
    kind: 'gauge',
    help: 'Webhooks that wait for an attempt.',
    labels: {},
  }),
  glyphlift_queue_pictures: metric({
    kind: 'gauge',
    help: 'Images that wait in the queue; with Redis, those of all servers.',
    labels: { priority: PRIORITIES },
  }),
  glyphlift_queue_limit_pictures: metric({
    kind: 'gauge',
    help: 'Limit of waiting images: OCR_QUEUE_LIMIT.',
    labels: {},
  }),
  glyphlift_queue_wait_seconds: metric({
    kind: 'histogram',
    help: 'Time that images waited in the queue.',
    labels: { priority: PRIORITIES },
    buckets: SECONDS,
  }),
  glyphlift_workers: metric({
    kind: 'gauge',
    help: 'With Redis: connected workers.',
    labels: {},
  }),

  glyphlift_engine_ready: metric({
    kind: 'gauge',
    help: '1 while images can be read.',
    labels: {},
  }),
  glyphlift_engine_pictures_total: metric({
    kind: 'counter',
    help: 'Images that this process gave to its engine, by outcome.',
    labels: { kind: KINDS, outcome: ENGINE_OUTCOMES },
  }),
  glyphlift_engine_picture_duration_seconds: metric({
    kind: 'histogram',
    help: 'Time that the engine worked on an image.',
    labels: { kind: KINDS },
    buckets: SECONDS,
  }),
  glyphlift_engine_stage_duration_seconds: metric({
    kind: 'histogram',
    help: 'Duration of each stage of reading.',
    labels: { stage: STAGES },
    buckets: SECONDS,
  }),
  glyphlift_languages_fetched_total: metric({
    kind: 'counter',
    help: 'Languages that this process downloaded on demand, by outcome.',
    labels: { outcome: ['fetched', 'failed'] },
  }),
  glyphlift_engine_restarts_total: metric({
    kind: 'counter',
    help: 'Recognition processes that were replaced or did not start, by reason.',
    labels: { reason: ['crashed', 'outgrown', 'unyielding', 'recycled', 'start_failed'] },
  }),
  glyphlift_engine_threads_died_total: metric({
    kind: 'counter',
    help: 'Threads of the recognition process that ended by themselves.',
    labels: {},
  }),
  glyphlift_engine_pictures_lost_total: metric({
    kind: 'counter',
    help: 'Images in progress in a recognition process that died.',
    labels: {},
  }),
  glyphlift_engine_wall: metric({
    kind: 'gauge',
    help: '1 if this part of the sandbox is on, else 0.',
    labels: { wall: SANDBOX_PARTS },
  }),
  glyphlift_engine_resident_memory_bytes: metric({
    kind: 'gauge',
    help: 'Resident memory of the recognition process.',
    labels: {},
  }),

  glyphlift_database_up: metric({ kind: 'gauge', help: '1 while the database answers.', labels: {} }),
  glyphlift_database_connections: metric({
    kind: 'gauge',
    help: 'Connections to PostgreSQL, and requests that wait for one.',
    labels: { state: ['in_use', 'idle', 'waiting'] },
  }),
  glyphlift_redis_up: metric({ kind: 'gauge', help: '1 while Redis answers.', labels: {} }),

  glyphlift_mails_waiting: metric({
    kind: 'gauge',
    help: 'Mails that are not sent yet.',
    labels: {},
  }),
  glyphlift_mails_total: metric({
    kind: 'counter',
    help: 'Attempts to send a mail, by outcome.',
    labels: { outcome: ['sent', 'delayed', 'given_up'] },
  }),
  glyphlift_payments_total: metric({
    kind: 'counter',
    help: 'Checks of a payment, by the state found.',
    labels: { outcome: ['applied', 'repeated', 'waiting', 'abandoned', 'refused', 'unclaimed', 'orphaned'] },
  }),
  glyphlift_registrations_completed_total: metric({
    kind: 'counter',
    help: 'Registrations that were paid and became an account.',
    labels: {},
  }),
} as const;

type All = typeof METRICS;
type NameOf<Kind extends MetricDefinition['kind']> = {
  [Name in keyof All]: All[Name]['kind'] extends Kind ? Name : never;
}[keyof All];
type LabelsOf<Name extends keyof All> = Readonly<Record<keyof All[Name]['labels'] & string, string>>;

/** A gauge's value at one scrape. */
export type Sample = {
  [Name in NameOf<'gauge'>]: { name: Name; labels: LabelsOf<Name>; value: number };
}[NameOf<'gauge'>];

export interface Metrics {
  add<Name extends NameOf<'counter'>>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  /** @param value in seconds */
  observe<Name extends NameOf<'histogram'>>(name: Name, labels: LabelsOf<Name>, value: number): void;
  /** Called at every scrape. A failure or a timeout omits only its own samples. */
  addCollector(collect: () => readonly Sample[] | Promise<readonly Sample[]>): void;
}

export interface MetricsPage extends Metrics {
  readonly contentType: string;
  text(): Promise<string>;
}

export const NO_METRICS: Metrics = { add() {}, observe() {}, addCollector() {} };

/** The value of label `outcome` for an error code. */
export function outcomeOf(code: string): string {
  return code.startsWith('recognition.') ? code.slice('recognition.'.length) : code;
}
