import { beforeAll, describe, expect, it } from 'vitest';
import { createBrowser, createMember, mailTo, PASSWORD } from '../../../tests/support/people.ts';
import {
  createTestClock,
  createVisitor,
  sharedServer,
  startTestServer,
  type TestServer,
} from '../../../tests/support/server-app.ts';
import {
  createTestDatabase,
  DEFAULT_DATABASES,
  describeOnDefaultDatabase,
  itOnce,
  type TestDatabase,
} from '../../../tests/support/server-databases.ts';

const HOUR_MS = 60 * 60 * 1000;
const FORGOT = '/api/password/forgot';
const WAITLIST = '/api/premium-interest';

describe.each(DEFAULT_DATABASES)('mail requests (%s)', (database) => {
  const clock = createTestClock();
  const statements: string[] = [];
  const server = sharedServer({
    database,
    clock,
    // Requests are processed only when the test calls it.
    mailRequestsMaxDelayMs: 24 * HOUR_MS,
    onStatement: (sql) => void statements.push(sql),
  });
  beforeAll(async () => {
    await createMember(server.app, 'anna');
    await createBrowser(server.app).post(WAITLIST, { email: 'anna@example.org' });
    await server.services.mailRequests.processDue();
    // Waits for the delivery, whose statements would be counted with those of a request.
    await server.services.mails.deliver();
  });

  /** Each from another network, so that only the limit of the mailbox applies. */
  let networks = 0;
  const ask = async (url: string, email: string) => {
    const { send } = createVisitor(server.app, `198.51.100.${++networks % 250}`);
    return send({ method: 'POST', url, payload: { email } });
  };
  const mailsAbout = (to: string, subject: RegExp) =>
    server.mails.filter((mail) => mail.to === to && subject.test(mail.subject)).length;

  it.each([FORGOT, WAITLIST])('%s: runs the same statements for known and unknown addresses', async (url) => {
    const done: string[][] = [];
    for (const email of ['anna@example.org', 'nobody@example.org']) {
      statements.length = 0;
      const answer = await ask(url, email);
      expect([answer.statusCode, answer.body]).toEqual([200, '{}']);
      done.push([...statements]);
    }
    expect(done[0]?.length).toBeGreaterThan(0);
    expect(done[0]).toEqual(done[1]);
  });

  it('are sent only when they are processed', async () => {
    clock.advance(25 * HOUR_MS);
    await server.services.mailRequests.processDue();
    await server.services.mails.deliver();
    const before = mailsAbout('anna@example.org', /new password/);
    await ask(FORGOT, 'anna@example.org');
    expect(await server.database.selectFrom('outgoing_mails').select('id').execute()).toEqual([]);
    await server.services.mailRequests.processDue();
    await server.services.mails.deliver();
    expect(mailsAbout('anna@example.org', /new password/)).toBe(before + 1);
    expect(await server.database.selectFrom('mail_requests').select('id').execute()).toEqual([]);
  });

  it.each([
    [FORGOT, /new password/],
    [WAITLIST, /premium list/],
  ])(
    'limits mails to one mailbox to three per hour and six per day by %s, without telling the caller',
    async (url, subject) => {
      await createMember(server.app, 'boris').catch(() => {});
      clock.advance(25 * HOUR_MS);
      const before = mailsAbout('boris@example.org', subject);
      const { mailRequests, mails, waitlist } = server.services;
      const sent: number[] = [];
      for (let hour = 0; hour < 4; hour++) {
        for (let count = 0; count < 5; count++) {
          expect((await ask(url, 'Boris@example.org')).statusCode).toBe(200);
          await mailRequests.processDue();
          await mails.deliver();
          // A person who leaves the list and joins again gets a mail again.
          await waitlist.remove('boris@example.org');
        }
        sent.push(
          mailsAbout('boris@example.org', subject) + mailsAbout('Boris@example.org', subject) - before,
        );
        clock.advance(HOUR_MS + 1);
      }
      expect(sent).toEqual([3, 6, 6, 6]);
    },
  );

  it('are deleted after a day of failures', async () => {
    await ask(FORGOT, 'anna@example.org');
    clock.advance(23 * HOUR_MS);
    await server.sweep();
    expect(await server.database.selectFrom('mail_requests').select('email').execute()).toHaveLength(1);
    clock.advance(HOUR_MS);
    await server.sweep();
    expect(await server.database.selectFrom('mail_requests').select('email').execute()).toEqual([]);
  });

  it('are deleted with the account of the address', async () => {
    const carla = await createMember(server.app, 'carla');
    await ask(FORGOT, 'carla@example.org');
    await carla.post('/api/account/delete', { username: 'carla', currentPassword: PASSWORD });
    expect(await server.database.selectFrom('mail_requests').select('email').execute()).toEqual([]);
  });
});

describe.each(DEFAULT_DATABASES)('a link that confirms an address (%s)', (database) => {
  const clock = createTestClock();
  const server = sharedServer({ database, clock });

  it('is mailed to one mailbox three times an hour, for any caller and any plus tag', async () => {
    const statuses: number[] = [];
    for (const name of ['dora', 'emil', 'frieda']) {
      const person = await createMember(server.app, name);
      for (const email of ['victim@mail.example', 'Victim+1@mail.example']) {
        const body = { email, currentPassword: PASSWORD };
        statuses.push((await person.post('/api/account/email', body)).statusCode);
      }
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429]);
  });

  it('is mailed for one account five times an hour and ten times a day, then rejected with a Retry-After', async () => {
    const gina = await createMember(server.app, 'gina');
    const sent: number[] = [];
    let refusal = { error: '', after: 0 };
    for (let hour = 0; hour < 4; hour++) {
      let count = 0;
      for (let index = 0; index < 7; index++) {
        const email = `stranger-${hour}-${index}@mail.example`;
        const answer = await gina.post('/api/account/email', { email, currentPassword: PASSWORD });
        if (answer.statusCode === 200) count++;
        else refusal = { ...answer.json<{ error: string }>(), after: Number(answer.headers['retry-after']) };
      }
      sent.push(count);
      clock.advance(HOUR_MS + 1);
    }
    expect(sent).toEqual([5, 5, 0, 0]);
    expect(refusal.error).toBe(
      'We have sent several mails already. Please look into the spam folder as well, or ask for another in 21 hours.',
    );
    expect(refusal.after).toBeGreaterThan(20 * 60 * 60);
  });

  it('is mailed again on demand three times an hour', async () => {
    const hanna = await createMember(server.app, 'hanna');
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) {
      statuses.push((await hanna.post('/api/account/verify/resend')).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });
});

describeOnDefaultDatabase('a stopped server', (testDatabase: () => TestDatabase) => {
  it('mails pending requests after a restart', async () => {
    const clock = createTestClock();
    const first = await startTestServer({
      testDatabase: testDatabase(),
      clock,
      mailRequestsMaxDelayMs: 24 * HOUR_MS,
    });
    await createMember(first.app, 'ida');
    const asked = await createBrowser(first.app).post(FORGOT, { email: 'ida@example.org' });
    expect(asked.statusCode).toBe(200);
    await first.close();
    expect(first.mails.filter(({ subject }) => /new password/.test(subject))).toEqual([]);

    const second = await startTestServer({ testDatabase: testDatabase(), clock });
    await second.app.listen({ port: 0, host: '127.0.0.1' });
    await mailTo(second.mails, 'ida@example.org', /new password/);
    await second.close();
  });

  it('keeps the counts of mailboxes over a restart', async () => {
    const clock = createTestClock();
    const statuses: number[] = [];
    for (let start = 0; start < 5; start++) {
      const server = await startTestServer({ testDatabase: testDatabase(), clock });
      const person = start === 0 ? await createMember(server.app, 'jana') : createBrowser(server.app);
      if (start > 0) await person.login('jana');
      statuses.push((await person.post('/api/account/verify/resend')).statusCode);
      await server.close();
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });
});

itOnce('two servers on one database send each mail once', async () => {
  const testDatabase = await createTestDatabase('postgres');
  const servers = await Promise.all(
    [0, 1].map(() => startTestServer({ testDatabase, mailRequestsMaxDelayMs: 24 * HOUR_MS })),
  );
  const [one, other] = servers as [TestServer, TestServer];
  for (const name of ['kai', 'kim', 'klara']) {
    await createMember(one.app, name);
    await createBrowser(one.app).post(FORGOT, { email: `${name}@example.org` });
  }
  await Promise.all(servers.map(({ services }) => services.mailRequests.processDue()));
  await Promise.all(servers.map(({ services }) => services.mails.deliver()));
  const links = [...one.mails, ...other.mails].filter(({ subject }) => /new password/.test(subject));
  expect(links.map(({ to }) => to).sort()).toEqual(
    ['kai', 'kim', 'klara'].map((name) => `${name}@example.org`),
  );
  await one.close();
  await other.close();
  await testDatabase.remove();
});
