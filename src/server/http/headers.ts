import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

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

declare module 'fastify' {
  interface FastifyReply {
    /** What scripts and styles of this answer's page must carry to be run. */
    nonce: string;
  }
}

interface HeaderOptions {
  /** People reach the server over https. */
  secure: boolean;
  /** Vite adds styles by script and speaks over a socket. */
  development: boolean;
}

/** What browsers may do with the answers. Scripts run only from this server, or with the nonce of this very answer. */
export async function registerSecurityHeaders(app: FastifyInstance, { secure, development }: HeaderOptions) {
  // Helmet's own nonces are two, one for scripts and one for styles; pages and their tools know of one.
  const nonces = new WeakMap<object, string>();
  const nonce = (_request: unknown, response: ServerResponse) => `'nonce-${nonces.get(response)}'`;
  app.decorateReply('nonce', '');
  app.addHook('onRequest', async (_request, reply) => {
    reply.nonce = randomBytes(16).toString('base64');
    nonces.set(reply.raw, reply.nonce);
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", nonce],
        styleSrc: ["'self'", nonce],
        // The picture that was chosen and its preview exist in the browser only.
        imgSrc: ["'self'", 'blob:', 'data:'],
        fontSrc: ["'self'"],
        connectSrc: development ? ["'self'", 'ws:'] : ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secure ? { maxAge: ONE_YEAR_SECONDS, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', PERMISSIONS);
  });
}
