import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { reportPolicyViolation } from '#contract/calls/site';
import { SCRIPT_POLICY } from '#contract/page';

/** Permissions policy: the product uses only the clipboard and the camera. */
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

/**
 * Header of documents that read pictures on the device, because the threads of the engine need shared memory. It isolates
 * the document, but not its frames nor the windows that it opens. Workers inherit it; browsers without this feature use one
 * thread.
 */
export const ISOLATION = { 'document-isolation-policy': 'isolate-and-credentialless' } as const;

/** Path for violation reports of the content policy. */
const REPORTS = 'content-policy';

/** Source expressions of the documents' inline scripts and styles. */
export interface InlinePolicy {
  script: string;
  style: string;
}

interface HeaderOptions {
  secure: boolean;
  /** Development only: Vite adds styles by script, uses a WebSocket and renders its errors from text. */
  development: boolean;
  inline: InlinePolicy;
}

export type SecurityHeaders = Readonly<Record<string, string>>;

/**
 * Security headers of all responses. Scripts run only from this server, or if they match the hash of the documents' inline
 * script.
 */
export function createSecurityHeaders({ secure, development, inline }: HeaderOptions): SecurityHeaders {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${inline.script}`,
    `style-src 'self' ${inline.style}`,
    // Previews of chosen images are blob URLs.
    "img-src 'self' blob: data:",
    "font-src 'self'",
    `connect-src 'self'${development ? ' ws:' : ''}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // No script creates markup or code from text; worker URLs need the one named policy.
    ...(development ? [] : ["require-trusted-types-for 'script'", `trusted-types ${SCRIPT_POLICY}`]),
    ...(secure ? ['upgrade-insecure-requests'] : []),
    `report-uri ${reportPolicyViolation.path}`,
    // Browsers that support `report-to` ignore `report-uri`, and report over https only.
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
    // Disables the filter of old browsers, which attackers can abuse to break a page.
    'x-xss-protection': '0',
    ...(secure && {
      'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}; includeSubDomains`,
      'reporting-endpoints': `${REPORTS}="${reportPolicyViolation.path}"`,
    }),
  };
}

/** Source expression that allows exactly this text as a script or style element. */
export const cspHashSource = (text: string): string =>
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
 * Workers with a separate policy, sent with their file, that allows only what they need. `file`: the built and the
 * development path.
 */
const WORKERS = [
  // These workers compile WebAssembly, and use no network.
  {
    file: /^\/(?:assets\/(?:pdf|barcode|heic)-worker-[\w-]+\.js$|src\/(?:web|ocr)\/.*\/(?:pdf|barcode|heic)-worker\.ts\?)/,
    policy: workerPolicy(["script-src 'self' 'wasm-unsafe-eval'"]),
  },
  // These workers also start workers, and use no network either: the page passes them all files of the engine. The script of
  // ONNX Runtime is the worker of its threads.
  {
    file: /^\/(?:assets\/(?:(?:device|recognizer)-worker-[\w-]+\.js|ort-wasm-simd-threaded-[\w-]+\.mjs)$|src\/(?:web|ocr)\/.*\/(?:device|recognizer)-worker\.ts\?|node_modules\/onnxruntime-web\/.*\.mjs)/,
    policy: workerPolicy(["script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'"]),
  },
  // This worker fetches an image from a pasted URL.
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
