import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { reportPolicyViolation } from '#contract/calls/site';
import { SCRIPT_POLICY } from '#contract/page';

/** Features of a browser: the product asks for the clipboard and, to take pages, for the camera. */
const PERMISSIONS = [
  'accelerometer=()',
  'browsing-topics=()',
  'camera=(self)',
  'clipboard-read=(self)',
  'clipboard-write=(self)',
  'geolocation=()',
  'gyroscope=()',
  'magnetometer=()',
  'microphone=()',
  'payment=()',
  'usb=()',
].join(', ');

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Where browsers report violations of the content policy. */
const REPORTS = 'content-policy';

/** Inline scripts and styles of the documents: source expressions of the policy. */
export interface InlinePolicy {
  script: string;
  style: string;
}

interface HeaderOptions {
  secure: boolean;
  /** Vite adds styles by script, uses a WebSocket and renders its errors from text. */
  development: boolean;
  inline: InlinePolicy;
}

export type SecurityHeaders = Readonly<Record<string, string>>;

/**
 * Security headers, in one list for every way in which an answer leaves the server. Scripts run only from this server,
 * or if they are exactly the inline script of the documents.
 */
export function createSecurityHeaders({ secure, development, inline }: HeaderOptions): SecurityHeaders {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${inline.script}`,
    `style-src 'self' ${inline.style}`,
    // The picture that was chosen and its preview exist in the browser only.
    "img-src 'self' blob: data:",
    "font-src 'self'",
    `connect-src 'self'${development ? ' ws:' : ''}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // No script of the product makes markup or code from text, so none may; the address of a worker passes one policy.
    ...(development ? [] : ["require-trusted-types-for 'script'", `trusted-types ${SCRIPT_POLICY}`]),
    ...(secure ? ['upgrade-insecure-requests'] : []),
    `report-uri ${reportPolicyViolation.path}`,
    // Browsers that know it heed nothing else, and send such reports over https only.
    ...(secure ? [`report-to ${REPORTS}`] : []),
  ].join('; ');
  return {
    'content-security-policy': policy,
    'permissions-policy': PERMISSIONS,
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    // Browsers that still have this filter could be made to break a page with it.
    'x-xss-protection': '0',
    ...(secure && {
      'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}; includeSubDomains`,
      'reporting-endpoints': `${REPORTS}="${reportPolicyViolation.path}"`,
    }),
  };
}

/** Allows exactly this text, as the whole content of a script or style element. */
export const allowText = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const workerPolicy = (allowed: readonly string[]): string =>
  [
    "default-src 'none'",
    ...allowed,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    `report-uri ${reportPolicyViolation.path}`,
  ].join('; ');

/**
 * Workers that may do what no page may: each has the policy that its own file comes with, and may do nothing else. `file`: as
 * it is built and in development; with a query it is no file of the build.
 */
const WORKERS = [
  // They compile WebAssembly, and connect to no address.
  {
    file: /^\/(?:assets\/(?:pdf|barcode)-worker-[\w-]+\.js$|src\/web\/.*\/(?:pdf|barcode)-worker\.ts\?)/,
    policy: workerPolicy(["script-src 'self' 'wasm-unsafe-eval'"]),
  },
  // They also start workers of their own, and read no address either: the page hands them all files of the engine.
  {
    file: /^\/(?:assets\/(?:device|recognizer)-worker-[\w-]+\.js$|src\/(?:web|ocr)\/.*\/(?:device|recognizer)-worker\.ts\?)/,
    policy: workerPolicy(["script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'"]),
  },
  // It fetches a picture whose address a person pasted.
  {
    file: /^\/(?:assets\/address-worker-[\w-]+\.js$|src\/web\/.*\/address-worker\.ts\?)/,
    policy: workerPolicy(["script-src 'self'", 'connect-src https: data:']),
  },
];

export function registerSecurityHeaders(app: FastifyInstance, headers: SecurityHeaders): void {
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(headers);
    const worker = WORKERS.find(({ file }) => file.test(request.url));
    if (worker) reply.header('content-security-policy', worker.policy);
    next();
  });
}
