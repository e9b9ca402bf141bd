import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import type { Mail } from '../../src/server/platform/mailer.ts';
import { createVisitor } from './server-app.ts';

export const PASSWORD = 'harbour lights 7';
export const PRICE = { amount: '4.99', currency: 'USD' };

/** A visitor with a browser on this machine, where the demo provider is available. */
export function createBrowser(app: FastifyInstance) {
  const visitor = createVisitor(app, '127.0.0.1');
  const post = (url: string, body?: object, headers: Record<string, string> = {}) =>
    visitor.send({ method: 'POST', url, headers, ...(body && { payload: body }) });
  return {
    ...visitor,
    post,
    register: (username: string, email = `${username}@example.org`, password = PASSWORD) =>
      post('/api/register', { username, email, password }),
    login: (username: string, password = PASSWORD) => post('/api/login', { username, password }),
    pay: (email: string, price: object = PRICE) => post('/api/payment/paypal', { email, ...price }),
    user: async () =>
      (await visitor.get('/api/user')).json<{ user?: { isPremium: boolean; username: string } }>().user,
  };
}
export type Browser = ReturnType<typeof createBrowser>;

/** A browser whose user has registered, paid with the demo provider and signed in. */
export async function createMember(app: FastifyInstance, username: string): Promise<Browser> {
  const browser = createBrowser(app);
  const email = `${username}@example.org`;
  expect((await browser.register(username, email)).statusCode).toBe(402);
  expect((await browser.pay(email)).json()).toEqual({ status: 'completed', kind: 'registration' });
  expect((await browser.login(username)).statusCode).toBe(200);
  return browser;
}

/** The mail to `to` whose subject matches, once it has come. */
export async function mailTo(mails: readonly Mail[], to: string, subject: RegExp): Promise<Mail> {
  const find = () => mails.findLast((one) => one.to === to && subject.test(one.subject));
  await expect.poll(find, { message: `the mail to ${to} about ${subject}` }).toBeDefined();
  return find()!;
}

/** The token in a mailed link such as `/#reset=…`. */
export function tokenIn(mail: Mail, kind: 'verify' | 'reset' | 'claim'): string {
  const [, token] = new RegExp(`/#${kind}=([\\w-]+)`).exec(mail.text) ?? [];
  if (!token) throw new Error(`no ${kind} link in the mail`);
  return token;
}
