import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SmtpDouble } from '../../../tests/doubles/smtp.ts';
import { createMemoryMailer } from '../../../tests/support/memory-mailer.ts';
import { createTestClock } from '../../../tests/support/server-app.ts';
import { createTestDatabase } from '../../../tests/support/server-databases.ts';
import { withTransaction } from './database.ts';
import { createLogger } from './logger.ts';
import { createMailQueue } from './mail-queue.ts';
import { createOutboxMailer, createSmtpMailer, type Mail, type Mailer } from './mailer.ts';

const sender = { from: 'Glyphlift <support@glyphlift.example>', publicUrl: 'https://glyphlift.example' };
const logger = createLogger('silent');
const cleanups: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A mailer with the subject and text of each delivered mail. */
interface Subject {
  mailer: Mailer;
  received(): Promise<Array<{ to: string; subject: string; text: string }>>;
}

const mailers: Record<string, () => Promise<Subject>> = {
  memory: async () => {
    const mailer = createMemoryMailer();
    return {
      mailer,
      received: async () => mailer.sent.map(({ to, subject, text }) => ({ to, subject, text })),
    };
  },
  outbox: async () => {
    const folder = await temporaryFolder();
    return {
      mailer: createOutboxMailer(folder, sender, logger),
      received: async () => {
        const files = (await readdir(folder)).filter((name) => name.endsWith('.eml'));
        return Promise.all(files.map(async (name) => parse(await readFile(join(folder, name), 'utf8'))));
      },
    };
  },
  smtp: async () => {
    const double = await SmtpDouble.start();
    cleanups.push(() => double.close());
    return {
      mailer: createSmtpMailer(double.url, sender),
      received: async () => double.messages.map(parse),
    };
  },
};

describe.each(Object.keys(mailers))('the %s mailer', (name) => {
  const mail: Mail = {
    to: 'nora@mail.example',
    subject: 'Your receipt',
    text: 'Hello Nora,\n\nthank you.\n',
  };

  it('delivers a mail unchanged', async () => {
    const { mailer, received } = await mailers[name]!();
    await mailer.send(mail, 'one');
    expect(await received()).toEqual([mail]);
    mailer.close();
  });

  it('prevents header injection by line breaks', async () => {
    const { mailer, received } = await mailers[name]!();
    const subject = 'Hello\r\nBcc: everybody@mail.example';
    await mailer.send({ ...mail, subject }, 'two').catch(() => {});
    for (const one of await received()) expect(one.to).toBe(mail.to);
    mailer.close();
  });
});

it('mailer: without SMTP, writes outbox files that only their owner can read', async () => {
  const folder = await temporaryFolder();
  await createOutboxMailer(folder, sender, logger).send({ to: 'a@b.example', subject: 's', text: 't' }, 'id');
  expect((await stat(join(folder, 'id.eml'))).mode & 0o777).toBe(0o600);
});

it('mailer: given a mail with an unsubscribe link, adds the one-click header', async () => {
  const double = await SmtpDouble.start();
  cleanups.push(() => double.close());
  const mailer = createSmtpMailer(double.url, sender);
  await mailer.send(
    { to: 'a@b.example', subject: 's', text: 't', unsubscribeUrl: 'https://g.example/u?token=1' },
    'id',
  );
  expect(double.messages[0]).toContain('List-Unsubscribe: <https://g.example/u?token=1>');
  expect(double.messages[0]).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  mailer.close();
});

describe('the mail queue', () => {
  it('retries with growing pauses while the mail server rejects, and then sends once', async () => {
    const testDatabase = await createTestDatabase('sqlite');
    const database = await testDatabase.open();
    const double = await SmtpDouble.start();
    const clock = createTestClock();
    const queue = createMailQueue({ database, mailer: createSmtpMailer(double.url, sender), clock, logger });
    cleanups.push(
      () => testDatabase.remove(),
      () => database.destroy(),
      () => double.close(),
      () => queue.stop(),
    );

    double.refuse = true;
    const mail = { to: 'nora@mail.example', subject: 'Hello', text: 'x' };
    await withTransaction(database, (transaction) => queue.enqueue(transaction, mail));
    await queue.deliver();
    double.refuse = false;
    await queue.deliver();
    expect(double.messages).toHaveLength(0);
    clock.advance(60_000);
    await Promise.all([queue.deliver(), queue.deliver()]);
    await queue.deliver();
    expect(double.messages).toHaveLength(1);
    expect(await database.selectFrom('outgoing_mails').selectAll().execute()).toEqual([]);
  });

  it('stops despite a hanging mail server, and keeps the remaining mails', async () => {
    const testDatabase = await createTestDatabase('sqlite');
    const database = await testDatabase.open();
    const started: string[] = [];
    const mailer: Mailer = {
      send: (mail) => {
        started.push(mail.subject);
        return new Promise(() => {});
      },
      close: vi.fn(),
    };
    const clock = createTestClock();
    const queue = createMailQueue({ database, mailer, clock, logger, timeoutMs: 20 });
    cleanups.push(
      () => testDatabase.remove(),
      () => database.destroy(),
    );
    await withTransaction(database, async (transaction) => {
      for (let count = 1; count <= 45; count++) {
        clock.advance(1);
        await queue.enqueue(transaction, { to: 'nora@mail.example', subject: `Mail ${count}`, text: 'x' });
      }
    });
    queue.wake();
    await expect.poll(() => started).toEqual(['Mail 1']);
    await queue.stop();
    expect(started).toEqual(['Mail 1']);
    expect(mailer.close).toHaveBeenCalled();
    expect(await database.selectFrom('outgoing_mails').select('id').execute()).toHaveLength(45);
  });

  it('finishes only the current mail when it stops', async () => {
    const testDatabase = await createTestDatabase('sqlite');
    const database = await testDatabase.open();
    const started: string[] = [];
    let taken = () => {};
    const mailer: Mailer = {
      send: (mail) => {
        started.push(mail.subject);
        return new Promise((resolve) => {
          taken = resolve;
        });
      },
      close: () => {},
    };
    const clock = createTestClock();
    const queue = createMailQueue({ database, mailer, clock, logger });
    cleanups.push(
      () => testDatabase.remove(),
      () => database.destroy(),
    );
    await withTransaction(database, async (transaction) => {
      await queue.enqueue(transaction, { to: 'nora@mail.example', subject: 'First', text: 'x' });
      clock.advance(1);
      await queue.enqueue(transaction, { to: 'nora@mail.example', subject: 'Second', text: 'x' });
    });
    queue.wake();
    await expect.poll(() => started).toEqual(['First']);
    const stopped = queue.stop();
    taken();
    await stopped;
    const left = await database.selectFrom('outgoing_mails').select('subject').execute();
    expect(left).toEqual([{ subject: 'Second' }]);
    expect(started).toEqual(['First']);
  });

  it('never logs a recipient, whatever the mail server answers', async () => {
    const testDatabase = await createTestDatabase('sqlite');
    const database = await testDatabase.open();
    const double = await SmtpDouble.start();
    double.refuseRecipients = true;
    const lines: string[] = [];
    const loud = createLogger('trace', { write: (line) => void lines.push(line) });
    const mailer = createSmtpMailer(double.url, sender);
    const queue = createMailQueue({ database, mailer, clock: createTestClock(), logger: loud });
    cleanups.push(
      () => testDatabase.remove(),
      () => database.destroy(),
      () => double.close(),
      () => queue.stop(),
    );
    const mail = { to: 'nora@mail.example', subject: 'Your secret plan', text: 'x' };
    await withTransaction(database, (transaction) => queue.enqueue(transaction, mail));
    await queue.deliver();
    expect(lines.join('')).toContain('a mail could not be sent yet');
    expect(lines.join('')).toContain('550');
    expect(lines.join('')).not.toMatch(/nora|secret/);
  });

  it('sends nothing of a failed transaction', async () => {
    const testDatabase = await createTestDatabase('sqlite');
    const database = await testDatabase.open();
    const mailer = createMemoryMailer();
    const queue = createMailQueue({ database, mailer, clock: createTestClock(), logger });
    cleanups.push(
      () => testDatabase.remove(),
      () => database.destroy(),
      () => queue.stop(),
    );
    const failing = withTransaction(database, async (transaction) => {
      await queue.enqueue(transaction, { to: 'nora@mail.example', subject: 'Hello', text: 'x' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await queue.deliver();
    expect(mailer.sent).toEqual([]);
  });

  it('sends a mail from only one of two servers', async () => {
    const testDatabase = await createTestDatabase('postgres');
    const databases = await Promise.all([testDatabase.open(), testDatabase.open()]);
    const mailer = createMemoryMailer();
    const send = vi.spyOn(mailer, 'send');
    const queues = databases.map((database) =>
      createMailQueue({ database, mailer, clock: createTestClock(), logger }),
    );
    cleanups.push(
      () => testDatabase.remove(),
      () => Promise.all(databases.map((one) => one.destroy())),
    );
    const [first] = databases;
    await withTransaction(first!, async (transaction) => {
      for (let count = 0; count < 10; count++) {
        await queues[0]!.enqueue(transaction, {
          to: 'nora@mail.example',
          subject: `Mail ${count}`,
          text: 'x',
        });
      }
    });
    await Promise.all(queues.map((queue) => queue.deliver()));
    expect(send).toHaveBeenCalledTimes(10);
  });
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'glyphlift-mail-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function parse(message: string) {
  const [head = '', ...body] = message.split('\n\n');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] ?? '';
  return { to: header('To'), subject: header('Subject'), text: body.join('\n\n') };
}
