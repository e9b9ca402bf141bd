import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestClock } from '../../../tests/support/server-app.ts';
import { describeOnBothDatabases } from '../../../tests/support/server-databases.ts';
import { createMailTemplateContext } from '../accounts/accounts.mails.ts';
import type { SignedIn } from '../http/caller.ts';
import { createKeyring } from '../platform/keyring.ts';
import { createLogger } from '../platform/logger.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import type { Database } from '../schema.ts';
import { createWebhookSecrets, type WebhookSecrets } from './webhook-secrets.ts';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)] as const;

describeOnBothDatabases('webhook secrets', (testDatabase) => {
  const clock = createTestClock();
  const user = { userId: 'id-of-anna', username: 'anna', sessionId: 'session' } as SignedIn;
  let database: Database;
  beforeEach(async () => {
    database = await testDatabase().open();
    await database
      .insertInto('users')
      .values({
        id: user.userId,
        username: user.username,
        email: 'anna@example.org',
        email_key: 'anna@example.org',
        email_verified_at: null,
        pending_email: null,
        password_hash: null,
        storage_bytes: 0,
        signed_in_at: null,
        created_at: clock.now().toISOString(),
      })
      .execute();
  });
  afterEach(async () => {
    await database.deleteFrom('users').execute();
    await database.destroy();
  });

  const withKeys = (...cookieKeys: string[]): WebhookSecrets =>
    createWebhookSecrets({
      database,
      keyring: createKeyring({ cookieKeys, cookieKey: undefined }),
      mails: { enqueue: async () => {}, wake: () => {} } as unknown as MailQueue,
      mailContext: createMailTemplateContext({
        publicUrl: 'http://localhost:3000',
        supportEmail: 'help@example.org',
        clock,
      }),
      clock,
      logger: createLogger('silent'),
      isPremium: async () => true,
      confirmPassword: async () => {},
    });

  it('resealAll: the current and the previous secret outlive the key that encrypted them', async () => {
    const old = withKeys(OLD);
    const { secret: previous } = await old.renew(user, 'password');
    const { secret: current } = await old.renew(user, 'password');
    await withKeys(NEW, OLD).resealAll();
    expect(await withKeys(NEW).signing(user.userId)).toEqual([current, previous]);
  });

  it('resealAll: a secret whose key is lost stays unchanged, and the others are encrypted with the newest key', async () => {
    await withKeys('l'.repeat(32)).renew(user, 'password');
    const { secret } = await withKeys(OLD).renew(user, 'password');
    await withKeys(NEW, OLD).resealAll();
    expect(await withKeys(NEW).signing(user.userId)).toEqual([secret]);
    expect(await withKeys(NEW, 'l'.repeat(32)).signing(user.userId)).toHaveLength(2);
  });
});
