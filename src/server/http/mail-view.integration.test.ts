import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createVisitor,
  fakePageRenderer,
  startTestServer,
  type TestServer,
} from '../../../tests/support/server-app.ts';
import { createLogger } from '../platform/logger.ts';
import { createOutboxMailer } from '../platform/mailer.ts';
import { MAIL_VIEW_PATH, registerMailView } from './mail-view.ts';

let outbox: string;
let server: TestServer;
beforeAll(async () => {
  outbox = await mkdtemp(join(tmpdir(), 'glyphlift-outbox-'));
  const web = {
    ...fakePageRenderer,
    register: (app: TestServer['app']) => registerMailView(app, join(outbox, 'mails')),
  };
  server = await startTestServer({ web });
});
afterAll(async () => {
  await server.close();
  await rm(outbox, { recursive: true });
});

it('shows an empty state before the first mail', async () => {
  const page = await createVisitor(server.app).get(MAIL_VIEW_PATH);
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('No mail has been sent yet.');
});

it('lists mails, and shows a mail with links and escaped markup', async () => {
  const sender = { from: 'Us <us@example.org>', publicUrl: 'http://localhost:3000' };
  const mailer = createOutboxMailer(join(outbox, 'mails'), sender, createLogger('silent'));
  const text = 'Hello <b>you</b>,\n\nhttp://localhost:3000/verify-email#token=abc&x=1\n';
  await mailer.send({ to: 'somebody@example.org', subject: 'Confirm <your> address', text }, 'first-one');

  const visitor = createVisitor(server.app);
  const list = await visitor.get(MAIL_VIEW_PATH);
  expect(list.body).toContain('somebody@example.org');
  expect(list.body).toContain(`<a href="${MAIL_VIEW_PATH}/first-one">Confirm &#60;your&#62; address</a>`);

  const mail = await visitor.get(`${MAIL_VIEW_PATH}/first-one`);
  expect(mail.headers['content-type']).toContain('text/html');
  expect(mail.body).toContain(
    'Hello &#60;b&#62;you&#60;/b&#62;,\n\n<a href="http://localhost:3000/verify-email#token=abc',
  );
  expect(mail.body).not.toContain('<b>');
});

it('shows no files outside the folder', async () => {
  for (const id of ['another', 'first-one.eml'])
    expect((await createVisitor(server.app).get(`${MAIL_VIEW_PATH}/${id}`)).statusCode, id).toBe(404);
});

it('does not exist in production', async () => {
  const production = await startTestServer({ env: { NODE_ENV: 'production' } });
  try {
    const visitor = createVisitor(production.app);
    expect((await visitor.get(MAIL_VIEW_PATH)).statusCode).toBe(404);
    expect((await visitor.get(`${MAIL_VIEW_PATH}/first-one`)).statusCode).toBe(404);
    expect(production.app.registeredRoutes.filter(({ url }) => url.startsWith('/development'))).toEqual([]);
  } finally {
    await production.close();
  }
});
