import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { reportPolicyViolation } from '#contract/calls/site';

/** Features of a browser that the product never asks for. Copying text is the one that it does. */
const PERMISSIONS = [
  'accelerometer=()',
  'browsing-topics=()',
  'camera=()',
  'clipboard-write=(self)',
  'geolocation=()',
  'gyroscope=()',
  'magnetometer=()',
  'microphone=()',
  'payment=()',
  'usb=()',
].join(', ');

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Where browsers tell of what the content policy stopped. */
const REPORTS = 'content-policy';

declare module 'fastify' {
  interface FastifyReply {
    /** What scripts and styles of this answer's page must carry to be run. */
    nonce: string;
  }
}

interface HeaderOptions {
  /** People reach the server over https. */
  secure: boolean;
  /** Vite adds styles by script, speaks over a socket and draws its errors from text. */
  development: boolean;
}

export type SecurityHeaders = (nonce: string) => Readonly<Record<string, string>>;

/**
 * What browsers may do with an answer, in one list for every way in which an answer leaves the server. Scripts run only
 * from this server, or with the nonce of this very answer.
 */
export function createSecurityHeaders({ secure, development }: HeaderOptions): SecurityHeaders {
  const policy = (nonce: string) =>
    [
      "default-src 'none'",
      `script-src 'self' 'nonce-${nonce}'`,
      `style-src 'self' 'nonce-${nonce}'`,
      // The picture that was chosen and its preview exist in the browser only.
      "img-src 'self' blob: data:",
      "font-src 'self'",
      `connect-src 'self'${development ? ' ws:' : ''}`,
      "manifest-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      // No script of ours makes markup or code from text, so nobody may.
      ...(development ? [] : ["require-trusted-types-for 'script'", "trusted-types 'none'"]),
      ...(secure ? ['upgrade-insecure-requests'] : []),
      `report-uri ${reportPolicyViolation.path}`,
      // Browsers that know it heed nothing else, and send such reports over https only.
      ...(secure ? [`report-to ${REPORTS}`] : []),
    ].join('; ');
  const always = {
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
  return (nonce) => ({ 'content-security-policy': policy(nonce), ...always });
}

export const createNonce = (): string => randomBytes(16).toString('base64');

export function registerSecurityHeaders(app: FastifyInstance, headers: SecurityHeaders): void {
  app.decorateReply('nonce', '');
  app.addHook('onRequest', async (_request, reply) => {
    reply.nonce = createNonce();
    reply.headers(headers(reply.nonce));
  });
}
