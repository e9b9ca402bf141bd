import { resolve } from 'node:path';
import { z } from 'zod';
import { DEFAULT_MAX_PIXELS, FREE_DAILY_LIMIT, PREMIUM_MONTHLY_LIMIT } from '#contract/product';
import { languageFolders } from './language-folders.ts';
import {
  listOf,
  oneOf,
  origin,
  readVariables,
  trustedProxies,
  type ValuesOf,
  variable,
  wholeNumber,
} from './platform/environment.ts';

const webhookTargets = z.union([oneOf('public', 'anywhere'), listOf(origin)], {
  error: 'must be "public", "anywhere" or a list of origins',
});

/**
 * Every environment variable, once: its purpose, its values and its default. `.env.example` is generated from this list
 * (`scripts/generated-files.ts`).
 */
export const VARIABLES = {
  environment: variable({
    name: 'NODE_ENV',
    doc: 'With `development`, pages are compiled on request and reload automatically; other values serve the build.',
    fallback: 'production',
    schema: oneOf('production', 'development', 'test'),
  }),
  port: variable({
    name: 'PORT',
    doc: 'The port the server listens on.',
    fallback: '3000',
    schema: wholeNumber(0, 65_535),
  }),
  host: variable({
    name: 'HOST',
    doc: 'The network address the server listens on. 0.0.0.0 or :: for all.',
    fallback: '127.0.0.1',
    schema: z.string().min(1, 'must not be empty'),
  }),
  publicUrl: variable({
    name: 'PUBLIC_URL',
    doc: 'The origin people open, without a path. With https, cookies are Secure and HSTS is sent.',
    otherwise: 'http://localhost:$PORT',
    schema: origin.optional(),
  }),
  dataDir: variable({
    name: 'DATA_DIR',
    doc: 'The folder for all stored data: database, secrets, languages.',
    fallback: './data',
    schema: z.string().min(1, 'must not be empty'),
  }),
  databaseUrl: variable({
    name: 'DATABASE_URL',
    doc: 'postgres://… to store data in PostgreSQL, so that several servers can share it.',
    otherwise: 'SQLite in DATA_DIR',
    schema: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
      .optional(),
  }),
  databasePoolSize: variable({
    name: 'DATABASE_POOL_SIZE',
    doc: 'With DATABASE_URL: maximum number of connections of this process. A call uses one for some milliseconds, so ten serve hundreds of calls a second. All processes together must stay below the max_connections of PostgreSQL, or the max_client_conn of PgBouncer (pool_mode = transaction).',
    fallback: '10',
    schema: wholeNumber(1, 1_000),
  }),
  redisUrl: variable({
    name: 'REDIS_URL',
    doc: 'redis://… or rediss://… (Redis or Valkey) to have pictures read by `npm run worker`, on this machine or others, and to let several servers share queue and limits. Give it a Redis that writes nothing to a disk (--save "" --appendonly no) and evicts nothing (--maxmemory-policy noeviction).',
    otherwise: 'this server reads pictures itself',
    schema: z
      .string()
      .regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')
      .optional(),
  }),
  drainSeconds: variable({
    name: 'DRAIN_SECONDS',
    doc: 'Seconds in which the server still accepts requests after SIGTERM while /readyz already fails, so that the proxy in front can send requests to other servers. Not needed with a single server.',
    fallback: '0',
    schema: wholeNumber(0, 600),
  }),
  trustProxy: variable({
    name: 'TRUST_PROXY',
    doc: 'Whose X-Forwarded-For is trusted: off, the number of proxies in front, or a list of networks (10.0.0.0/8, loopback).',
    fallback: 'off',
    schema: trustedProxies,
  }),
  supportEmail: variable({
    name: 'SUPPORT_EMAIL',
    doc: 'The support address in the footer and on legal pages.',
    fallback: 'support@glyphlift.example',
    schema: z.email('must be an email address'),
  }),
  premiumAvailability: variable({
    name: 'PREMIUM_AVAILABILITY',
    doc: 'Whether premium can be bought (available) or has only a waitlist (coming-soon).',
    fallback: 'coming-soon',
    schema: oneOf('coming-soon', 'available'),
  }),
  payments: variable({
    name: 'PAYMENTS',
    doc: 'auto: PayPal if it is set up below, else the demo provider while only this machine can reach the server. demo: the demo provider for everyone; it takes no money.',
    fallback: 'auto',
    schema: oneOf('auto', 'demo'),
  }),
  paypalClientId: variable({
    name: 'PAYPAL_CLIENT_ID',
    doc: 'PayPal’s client id. Set it together with the secret and the webhook id.',
    schema: z.string().optional(),
  }),
  paypalClientSecret: variable({
    name: 'PAYPAL_CLIENT_SECRET',
    doc: 'PayPal’s client secret.',
    schema: z.string().optional(),
  }),
  paypalWebhookId: variable({
    name: 'PAYPAL_WEBHOOK_ID',
    doc: 'The id of the webhook at PayPal that calls PUBLIC_URL/api/payment/paypal/webhook; `npm run paypal-setup` creates it.',
    schema: z.string().optional(),
  }),
  paypalPlanId: variable({
    name: 'PAYPAL_PLAN_ID',
    doc: 'The id of the billing plan at PayPal.',
    otherwise: 'found or created at PayPal at the first payment',
    schema: z.string().optional(),
  }),
  paypalBaseUrl: variable({
    name: 'PAYPAL_BASE_URL',
    doc: 'PayPal’s address; https://api-m.sandbox.paypal.com to try it without money.',
    fallback: 'https://api-m.paypal.com',
    schema: origin,
  }),
  oidcProvider: variable({
    name: 'OIDC_PROVIDER',
    doc: 'The name of the third-party sign-in provider, for its button and its address.',
    fallback: 'google',
    schema: z.string().regex(/^[a-z\d-]{1,50}$/, 'must be letters, digits and dashes'),
  }),
  oidcIssuer: variable({
    name: 'OIDC_ISSUER',
    doc: 'The provider’s issuer address. It must allow PUBLIC_URL/api/auth/OIDC_PROVIDER/callback as a redirect.',
    fallback: 'https://accounts.google.com',
    schema: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  }),
  oidcClientId: variable({
    name: 'OIDC_CLIENT_ID',
    doc: 'The client id at the provider. Without it and its secret the button leads to an error message.',
    schema: z.string().optional(),
  }),
  oidcClientSecret: variable({
    name: 'OIDC_CLIENT_SECRET',
    doc: 'The client secret at the provider.',
    schema: z.string().optional(),
  }),
  smtpUrl: variable({
    name: 'SMTP_URL',
    doc: 'smtp://user:password@host:587 to send mail.',
    otherwise: 'mails are written to DATA_DIR/outbox, and the log names each file',
    schema: z
      .string()
      .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
      .optional(),
  }),
  mailFrom: variable({
    name: 'MAIL_FROM',
    doc: 'The sender address of mails.',
    otherwise: 'SUPPORT_EMAIL',
    schema: z.email('must be an email address').optional(),
  }),
  freeDailyLimit: variable({
    name: 'FREE_DAILY_LIMIT',
    doc: 'Extractions a day (UTC) for a visitor or a signed-in free user.',
    fallback: String(FREE_DAILY_LIMIT),
    schema: wholeNumber(0, 1_000_000),
  }),
  premiumMonthlyLimit: variable({
    name: 'PREMIUM_MONTHLY_LIMIT',
    doc: 'Extractions a billing month for a premium user.',
    fallback: String(PREMIUM_MONTHLY_LIMIT),
    schema: wholeNumber(0, 1_000_000),
  }),
  addressLimitFactor: variable({
    name: 'ADDRESS_LIMIT_FACTOR',
    doc: 'Daily limit of one IPv4 address or IPv6 /64, as a multiple of a visitor’s limit; a /48 has four times that.',
    fallback: '10',
    schema: wholeNumber(1, 100_000),
  }),
  failedWorkSeconds: variable({
    name: 'FAILED_WORK_SECONDS',
    doc: 'Seconds of unpaid work a day for one address or one signed-in user: pictures that failed, timed out or had no text, and previews, which may use half of it. A premium user has thirty times as much per billing month.',
    fallback: '900',
    schema: wholeNumber(1, 86_400),
  }),
  rateLimitPerMinute: variable({
    name: 'RATE_LIMIT_PER_MINUTE',
    doc: 'API calls a minute for one visitor, and for all keys of one user together; an address may make five times as many.',
    fallback: '120',
    schema: wholeNumber(1, 1_000_000),
  }),
  pageLimitPerMinute: variable({
    name: 'PAGE_LIMIT_PER_MINUTE',
    doc: 'Pages a minute for one visitor; an address may open five times as many.',
    fallback: '120',
    schema: wholeNumber(1, 1_000_000),
  }),
  maxConnections: variable({
    name: 'MAX_CONNECTIONS',
    doc: 'Maximum number of connections, each of which needs a file descriptor. One address may hold an eighth of them, a proxy in TRUST_PROXY all of them.',
    fallback: '4096',
    schema: wholeNumber(8, 1_000_000),
  }),
  bodyTimeoutSeconds: variable({
    name: 'BODY_TIMEOUT_SECONDS',
    doc: 'Time limit in seconds for the body of a request, except for uploads.',
    fallback: '10',
    schema: wholeNumber(1, 600),
  }),
  maxPixels: variable({
    name: 'MAX_PIXELS',
    doc: 'Pictures with more pixels than this are refused before they are decoded.',
    fallback: String(DEFAULT_MAX_PIXELS),
    schema: wholeNumber(1, 1_000_000_000),
  }),
  uploadMinRate: variable({
    name: 'UPLOAD_MIN_RATE',
    doc: 'Minimum speed of an upload in bytes a second; slower ones are ended.',
    fallback: '16000',
    schema: wholeNumber(100, 1_000_000_000),
  }),
  uploadStallSeconds: variable({
    name: 'UPLOAD_STALL_SECONDS',
    doc: 'The window in seconds over which the speed is measured, which is also how long an upload may stall.',
    fallback: '20',
    schema: wholeNumber(1, 600),
  }),
  uploadMemoryMb: variable({
    name: 'UPLOAD_MEMORY_MB',
    doc: 'Memory for pictures that are uploaded or queued; an address may use a quarter, a visitor an eighth.',
    fallback: '512',
    schema: wholeNumber(96, 1_000_000),
  }),
  jobMemoryMb: variable({
    name: 'JOB_MEMORY_MB',
    doc: 'Memory for files and texts of jobs (POST /api/jobs), which are kept until an hour after a job’s end; one user may use a quarter. With REDIS_URL it is memory of Redis, and must be the same in all servers.',
    fallback: '256',
    schema: wholeNumber(200, 1_000_000),
  }),
  jobPagesAtOnce: variable({
    name: 'JOB_PAGES_AT_ONCE',
    doc: 'Pages of jobs that are read at the same time.',
    otherwise: 'one fewer than OCR_CONCURRENCY, so that one place is left for interactive use',
    schema: wholeNumber(1, 256).optional(),
  }),
  webhookTargets: variable({
    name: 'WEBHOOK_TARGETS',
    doc: 'Allowed addresses of job webhooks. public: https at port 443 or 8443 of public hosts. A list of origins, such as http://n8n:5678,https://paperless.lan: these as well, also in your own network. Premium users can then make this server call any path there, with a signed body of their job’s state, so list only receivers that check the signature. anywhere: also this machine and its networks, and http; for development only.',
    fallback: 'public',
    schema: webhookTargets,
  }),
  ocrConcurrency: variable({
    name: 'OCR_CONCURRENCY',
    doc: 'Pictures that are read at the same time.',
    otherwise: 'the number of the processor’s cores',
    schema: wholeNumber(1, 256).optional(),
  }),
  ocrQueueLimit: variable({
    name: 'OCR_QUEUE_LIMIT',
    doc: 'Pictures that may wait in the queue; when it is full, uploads are rejected with a Retry-After.',
    fallback: '32',
    schema: wholeNumber(0, 10_000),
  }),
  ocrQueueMemoryMb: variable({
    name: 'OCR_QUEUE_MEMORY_MB',
    doc: 'With REDIS_URL: memory of Redis for waiting pictures; when it is full, uploads are rejected with a Retry-After.',
    fallback: '256',
    schema: wholeNumber(16, 1_000_000),
  }),
  ocrPremiumReserve: variable({
    name: 'OCR_PREMIUM_RESERVE',
    doc: 'Places in the queue that are reserved for premium users.',
    fallback: '8',
    schema: wholeNumber(0, 10_000),
  }),
  ocrTimeoutSeconds: variable({
    name: 'OCR_TIMEOUT_SECONDS',
    doc: 'Time limit of reading one picture, without waiting in the queue.',
    fallback: '60',
    schema: wholeNumber(1, 3600),
  }),
  ocrWaitSeconds: variable({
    name: 'OCR_WAIT_SECONDS',
    doc: 'Time limit of waiting in the queue; then the upload is rejected with a Retry-After.',
    fallback: '60',
    schema: wholeNumber(1, 3600),
  }),
  ocrConfinement: variable({
    name: 'OCR_CONFINEMENT',
    doc: 'Sandbox of the process that decodes and reads pictures. auto: as far as the system allows. require: the start fails if a part is unavailable. off: none.',
    fallback: 'auto',
    schema: oneOf('auto', 'off', 'require'),
  }),
  ocrMemoryMegabytes: variable({
    name: 'OCR_MEMORY_MB',
    doc: 'Memory limit in megabytes of the process that decodes and reads pictures; beyond it the process is replaced.',
    otherwise: '512 and 2048 for each picture at once, at most three quarters of the machine’s memory',
    schema: wholeNumber(256, 1_000_000).optional(),
  }),
  ocrPicturesPerProcess: variable({
    name: 'OCR_PICTURES_PER_PROCESS',
    doc: 'Number of pictures after which the process that decodes and reads them is replaced, as a protection against memory leaks.',
    fallback: '500',
    schema: wholeNumber(1, 1_000_000),
  }),
  ocrLanguageDirs: variable({
    name: 'OCR_LANG_DIRS',
    doc: 'Folders with tesseract’s .traineddata files, separated by commas. English is built in.',
    otherwise: 'the system’s tessdata folder, if there is one, and DATA_DIR/languages',
    schema: z.string().optional(),
  }),
  ocrLanguagesOnDemand: variable({
    name: 'OCR_LANGUAGES_ON_DEMAND',
    doc: 'Whether a missing language is downloaded on first use, from the configured npm registry, into DATA_DIR/languages. If OCR_LANG_DIRS does not list that folder, or with off, only installed languages are offered.',
    fallback: 'on',
    schema: oneOf('on', 'off'),
  }),
  logLevel: variable({
    name: 'LOG_LEVEL',
    doc: 'Minimum level of log lines.',
    fallback: 'info',
    schema: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  }),
  serviceWorker: variable({
    name: 'SERVICE_WORKER',
    doc: 'Whether browsers may store the tool, so that it opens without a network and accepts pictures from the share sheet. With off, stored copies are removed.',
    fallback: 'on',
    schema: oneOf('on', 'off'),
  }),
  onDeviceReading: variable({
    name: 'ON_DEVICE_READING',
    doc: 'Whether visitors may have English pictures read in their own browser, which counts like an extraction by this server. The browser downloads 14 MB for it, once.',
    fallback: 'on',
    schema: oneOf('on', 'off'),
  }),
  metrics: variable({
    name: 'METRICS',
    doc: 'Whether the server collects metrics and serves them under /metrics.',
    fallback: 'on',
    schema: oneOf('on', 'off'),
  }),
  metricsToken: variable({
    name: 'METRICS_TOKEN',
    doc: 'Token for /metrics, sent as `Authorization: Bearer …`. Set the same one in all servers of an installation.',
    otherwise:
      'created once and stored in DATA_DIR/secrets.json; if COOKIE_KEYS and ADDRESS_KEY are set, only this machine has access',
    schema: z.string().min(32, 'must have at least 32 characters').optional(),
  }),
  workerMetricsPort: variable({
    name: 'WORKER_METRICS_PORT',
    doc: 'The port on which a worker (`npm run worker`) answers /metrics, /healthz and /readyz, at the network address of HOST.',
    otherwise: 'a worker listens on no port',
    schema: wholeNumber(0, 65_535).optional(),
  }),
  otelEndpoint: variable({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    doc: 'OTLP/HTTP endpoint for traces, such as http://collector:4318. OTEL_EXPORTER_OTLP_HEADERS, _TIMEOUT, _COMPRESSION and _CERTIFICATE apply too.',
    otherwise: 'no tracing, and OpenTelemetry is not loaded',
    schema: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .transform((value) => value.replace(/\/$/, ''))
      .optional(),
  }),
  otelServiceName: variable({
    name: 'OTEL_SERVICE_NAME',
    doc: 'The service name in traces.',
    otherwise: 'glyphlift, and glyphlift-worker in a worker',
    schema: z.string().min(1, 'must not be empty').optional(),
  }),
  otelShare: variable({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    doc: 'Share of the requests that are traced, from 0 to 1.',
    fallback: '1',
    schema: z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
      .transform(Number),
  }),
  cookieKeys: variable({
    name: 'COOKIE_KEYS',
    doc: 'Signing keys, separated by commas: the first one signs, signatures of the others stay valid. Set it if several servers share the work. To change keys, prepend a new key and remove the old one a month later.',
    otherwise: 'created once and stored in DATA_DIR/secrets.json; `npm run admin -- keys rotate` changes it',
    schema: z
      .string()
      .transform((value) => value.split(',').map((key) => key.trim()))
      .refine((keys) => keys.every((key) => key.length >= 32), 'must be keys of at least 32 characters')
      .optional(),
  }),
  cookieKey: variable({
    name: 'COOKIE_KEY',
    doc: 'The key of an installation from before COOKIE_KEYS, whose older cookies stay valid. Remove it a month after COOKIE_KEYS is set.',
    schema: z.string().min(32, 'must have at least 32 characters').optional(),
  }),
  addressKey: variable({
    name: 'ADDRESS_KEY',
    doc: 'Key for hashing network addresses. Set it if several servers share the work.',
    otherwise: 'created once and stored in DATA_DIR/secrets.json',
    schema: z.string().min(32, 'must have at least 32 characters').optional(),
  }),
};

type DeclaredSettings = ValuesOf<typeof VARIABLES>;

export type Config = Readonly<
  Omit<DeclaredSettings, 'publicUrl' | 'ocrLanguageDirs'> & {
    /** Origin without a trailing slash. */
    publicUrl: string;
    ocrLanguageDirs: string[];
  }
>;

/** @throws {Error} with one line that lists each invalid variable and its expected form */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const { values: declared, problems } = readVariables(VARIABLES, environment);
  problems.push(...dependencyProblems(declared));
  if (problems.length > 0) throw new Error(`Invalid settings: ${problems.join('; ')}.`);
  const dataDir = resolve(declared.dataDir);
  return {
    ...declared,
    dataDir,
    publicUrl: declared.publicUrl ?? `http://localhost:${declared.port}`,
    ocrLanguageDirs: languageFolders(dataDir, declared.ocrLanguageDirs),
  };
}

/** Checks settings that depend on one another. */
function dependencyProblems(declared: DeclaredSettings): string[] {
  const { paypalClientId, paypalClientSecret, paypalWebhookId, oidcClientId, oidcClientSecret } = declared;
  const problems: string[] = [];
  const paypal = [paypalClientId, paypalClientSecret, paypalWebhookId].filter(Boolean).length;
  if (paypal !== 0 && paypal !== 3) {
    problems.push('PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET and PAYPAL_WEBHOOK_ID must be set together');
  }
  if (paypal !== 0 && declared.payments === 'demo') problems.push('PAYMENTS=demo excludes PayPal’s settings');
  if (declared.webhookTargets === 'anywhere' && declared.environment === 'production') {
    problems.push('WEBHOOK_TARGETS=anywhere is for NODE_ENV=development');
  }
  if (Boolean(oidcClientId) !== Boolean(oidcClientSecret)) {
    problems.push('OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together');
  }
  return problems;
}
