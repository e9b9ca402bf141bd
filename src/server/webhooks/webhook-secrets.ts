import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { PREVIOUS_SECRET_HOURS } from '#contract/api-key-rules';
import { WEBHOOK_SECRET_PREFIX } from '#contract/job';
import { PAGES } from '#contract/paths';
import { signInRequired } from '../accounts/accounts.errors.ts';
import { type MailTemplateContext, type Notice, noticeMail } from '../accounts/accounts.mails.ts';
import type { PasswordConfirmation } from '../accounts/password.ts';
import type { PersonalDataSource } from '../accounts/personal-data.ts';
import { lockUser } from '../accounts/users.repository.ts';
import type { SignedIn } from '../http/caller.ts';
import { createError } from '../http/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { withTransaction } from '../platform/database.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Logger } from '../platform/logger.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import type { Mail } from '../platform/mailer.ts';
import type { Database } from './webhooks.tables.ts';

export interface WebhookSecrets {
  /** When the user's secret was created; null without one. */
  state(userId: string): Promise<{ madeAt: string | null }>;
  /** Creates a new secret. The previous one stays valid for a day. @throws {AppError} */
  renew(person: SignedIn, currentPassword: string | undefined): Promise<{ madeAt: string; secret: string }>;
  /** Valid secrets, newest first; empty if there are none or they cannot be decrypted. */
  signing(userId: string): Promise<string[]>;
  /** Re-encrypts secrets of older keys, so that these can be retired. */
  resealAll(): Promise<void>;
  personalData: PersonalDataSource;
}

interface WebhookSecretsDependencies {
  database: Database;
  keyring: Keyring;
  mails: MailQueue;
  mailContext: MailTemplateContext;
  clock: Clock;
  logger: Logger;
  isPremium: (userId: string) => Promise<boolean>;
  confirmPassword: PasswordConfirmation;
}

const FORMER_MS = PREVIOUS_SECRET_HOURS * 3_600_000;
const UNREADABLE = 'a webhook secret cannot be opened: a key was retired or lost';
const ownerOf = (userId: string): string => `webhook ${userId}`;

export function createWebhookSecrets(dependencies: WebhookSecretsDependencies): WebhookSecrets {
  const { database, keyring, mails, mailContext, clock, logger, isPremium, confirmPassword } = dependencies;

  const find = (userId: string) =>
    database.selectFrom('webhook_secrets').selectAll().where('user_id', '=', userId).executeTakeFirst();

  const state = async (userId: string) => ({ madeAt: (await find(userId))?.made_at ?? null });

  /** A secret that cannot be decrypted stays unchanged. */
  async function reseal(userId: string, column: 'sealed' | 'former_sealed', sealed: string): Promise<void> {
    let secret: string;
    try {
      secret = keyring.unseal(sealed, ownerOf(userId));
    } catch (error) {
      logger.error({ err: error }, UNREADABLE);
      return;
    }
    await database
      .updateTable('webhook_secrets')
      .set({ [column]: keyring.seal(secret, ownerOf(userId)) })
      .where('user_id', '=', userId)
      .where(column, '=', sealed)
      .execute();
  }

  return {
    state,

    async renew(person, currentPassword) {
      const { userId } = person;
      if (!(await isPremium(userId))) throw premiumRequired();
      await confirmPassword(person, currentPassword);
      const secret = createWebhookSecret();
      const now = clock.now();
      const newSecret = { sealed: keyring.seal(secret, ownerOf(userId)), made_at: now.toISOString() };
      await withTransaction(database, async (transaction) => {
        // Locks the user's row, so that parallel renewals are serialized.
        const user = await lockUser(transaction, userId);
        if (!user) throw signInRequired();
        const former = await transaction
          .selectFrom('webhook_secrets')
          .select('sealed')
          .where('user_id', '=', userId)
          .executeTakeFirst();
        const row = {
          ...newSecret,
          former_sealed: former?.sealed ?? null,
          former_until: former ? new Date(now.getTime() + FORMER_MS).toISOString() : null,
        };
        await transaction
          .insertInto('webhook_secrets')
          .values({ user_id: userId, ...row })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
          .execute();
        await mails.enqueue(transaction, secretMadeMail(mailContext.notice(user)));
      });
      mails.wake();
      return { madeAt: newSecret.made_at, secret };
    },

    async signing(userId) {
      const row = await find(userId);
      if (!row) return [];
      const former = row.former_until !== null && row.former_until > clock.now().toISOString();
      const sealed = [row.sealed, ...(former && row.former_sealed !== null ? [row.former_sealed] : [])];
      return sealed.flatMap((one) => {
        try {
          return [keyring.unseal(one, ownerOf(userId))];
        } catch (error) {
          logger.error({ err: error }, UNREADABLE);
          return [];
        }
      });
    },

    async resealAll() {
      const { sealPrefix } = keyring;
      for (const column of ['sealed', 'former_sealed'] as const) {
        const rows = await database
          .selectFrom('webhook_secrets')
          .select(['user_id', column])
          .where(sql<boolean>`substr(${sql.ref(column)}, 1, ${sealPrefix.length}) <> ${sealPrefix}`)
          .execute();
        for (const { user_id: userId, [column]: sealed } of rows)
          if (sealed !== null) await reseal(userId, column, sealed);
      }
    },

    personalData: {
      export: async ({ id }) => ({ webhookSecret: await state(id) }),
    },
  };
}

const premiumRequired = () =>
  createError('api_keys.premium_required', 'Webhooks are part of the premium plan.', {
    reason: 'only premium has webhooks',
  });

function secretMadeMail(notice: Notice): Mail {
  return noticeMail(notice, {
    subject: 'A new webhook secret',
    event: 'a secret for webhooks was made in your account',
    consequences:
      'From now on webhooks are signed with it. Programs that check them need the new one within a day. It opens nothing here.',
    advice: `If this was not you, make another one on ${notice.publicUrl}${PAGES.account} and change your password, which signs every other device out. If you need help, write to {support}.`,
  });
}

function createWebhookSecret(): string {
  return `${WEBHOOK_SECRET_PREFIX}${randomBytes(32).toString('base64')}`;
}

interface SignedMessage {
  id: string;
  /** Time of this attempt, because receivers reject old signatures. */
  sentAt: Date;
  body: string;
}

/** The headers of Standard Webhooks: the id, the second and the body are signed, with each valid secret. */
export function signedHeaders({ id, sentAt, body }: SignedMessage, secrets: readonly string[]) {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
