import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Registration, Registrations } from '../joining/registrations.ts';
import type { Keyring } from '../platform/keyring.ts';
import { signInRequired } from './errors.ts';
import { SESSION_SECONDS, type Sessions, type SignedIn } from './sessions.ts';
import { KNOWN_SECONDS, MAX_TOKENS, type SignIns } from './sign-ins.ts';

/** What a browser holds of us beside the visitor's cookie: a session, what it is known by, and a registration. */
export interface Browser {
  /** Who is signed in; asked once a request, however often it is called. */
  person(request: FastifyRequest): Promise<SignedIn | null>;
  /** @throws {AppError} 401. */
  requirePerson(request: FastifyRequest): Promise<SignedIn>;
  /** A new session under a new token; the one that the browser had ends. */
  signIn(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void>;
  /** The session that this browser has goes on under another token. */
  holdSession(reply: FastifyReply, token: string): void;
  signOut(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** For whom it would pay: a session comes before a registration that waits. */
  payer(
    request: FastifyRequest,
  ): Promise<{ person: SignedIn | null; registration: Registration | undefined }>;
  registrationId(request: FastifyRequest): string | undefined;
  registration(request: FastifyRequest): Promise<Registration | undefined>;
  bindRegistration(reply: FastifyReply, id: string): void;
  releaseRegistration(reply: FastifyReply): void;
}

interface BrowserDependencies {
  sessions: Sessions;
  signIns: SignIns;
  registrations: Registrations;
  keyring: Keyring;
  /** Whether the server is reached by https. */
  secure: boolean;
}

const REGISTRATION_SECONDS = 30 * 24 * 60 * 60;
const TOKEN = /^[\w-]{43}$/;
const REGISTRATION_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

export function createBrowser({
  sessions,
  signIns,
  registrations,
  keyring,
  secure,
}: BrowserDependencies): Browser {
  const prefix = secure ? '__Host-' : '';
  const sessionCookie = `${prefix}session`;
  const deviceCookie = `${prefix}device`;
  const registrationCookie = `${prefix}registration`;
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  const people = new WeakMap<FastifyRequest, Promise<SignedIn | null>>();

  return {
    person(request) {
      const token = request.cookies[sessionCookie];
      if (!token) return Promise.resolve(null);
      const known = people.get(request) ?? sessions.authenticate(token);
      people.set(request, known);
      return known;
    },

    async requirePerson(request) {
      const person = await this.person(request);
      if (!person) throw signInRequired();
      return person;
    },

    async signIn(request, reply, userId) {
      const { session, devices } = await signIns.begin({
        userId,
        userAgent: request.headers['user-agent'],
        previous: request.cookies[sessionCookie],
        devices: (request.cookies[deviceCookie] ?? '')
          .split('.')
          .filter((token) => TOKEN.test(token))
          .slice(0, MAX_TOKENS),
      });
      reply.setCookie(deviceCookie, devices.join('.'), { ...options, maxAge: KNOWN_SECONDS });
      this.holdSession(reply, session);
    },

    holdSession(reply, token) {
      reply.setCookie(sessionCookie, token, { ...options, maxAge: SESSION_SECONDS });
    },

    async signOut(request, reply) {
      const token = request.cookies[sessionCookie];
      if (token) await sessions.close(token);
      reply.clearCookie(sessionCookie, options);
    },

    registrationId(request) {
      const cookie = request.cookies[registrationCookie];
      const signed = cookie ? keyring.verify('registration', cookie) : undefined;
      return signed && REGISTRATION_ID.test(signed.text) ? signed.text : undefined;
    },

    async registration(request) {
      const id = this.registrationId(request);
      return id === undefined ? undefined : registrations.find(id);
    },

    async payer(request) {
      return { person: await this.person(request), registration: await this.registration(request) };
    },

    bindRegistration(reply, id) {
      reply.setCookie(registrationCookie, keyring.sign('registration', id), {
        ...options,
        maxAge: REGISTRATION_SECONDS,
      });
    },

    releaseRegistration(reply) {
      reply.clearCookie(registrationCookie, options);
    },
  };
}
