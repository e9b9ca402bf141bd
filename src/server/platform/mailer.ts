import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { BRAND } from '#contract/product';
import type { Logger } from './logger.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The one-click unsubscribe address (RFC 8058). */
  unsubscribeUrl?: string;
}

/** Sends mails. Resolves once another system has accepted the mail. */
export interface Mailer {
  /** `id` is the same for every attempt to send a mail, so that mail servers can recognize a duplicate. */
  send(mail: Mail, id: string): Promise<void>;
  close(): void;
}

interface Sender {
  from: string;
  /** Its domain is used for message ids. */
  publicUrl: string;
}

interface MailerSettings {
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  supportEmail: string;
  publicUrl: string;
  dataDir: string;
}

export function createMailer(settings: MailerSettings, logger: Logger): Mailer {
  const { smtpUrl, mailFrom, supportEmail, publicUrl, dataDir } = settings;
  const sender = { from: `${BRAND.name} <${mailFrom ?? supportEmail}>`, publicUrl };
  return smtpUrl
    ? createSmtpMailer(smtpUrl, sender)
    : createOutboxMailer(join(dataDir, 'outbox'), sender, logger);
}

const SMTP_TIMEOUT_MS = 15_000;

/** Sends over SMTP. `url`: `smtp://user:password@host:587`, or `smtps://…` for TLS from the first byte. */
export function createSmtpMailer(url: string, sender: Sender): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
  });
  return {
    async send(mail, id) {
      try {
        await transport.sendMail(message(mail, id, sender));
      } catch (error) {
        throw withoutRecipient(error);
      }
    },
    close: () => transport.close(),
  };
}

/** Removes answers of the mail server and library errors, which contain the recipient and must not be logged. */
function withoutRecipient(error: unknown): Error {
  const { code, command, responseCode }: { code?: unknown; command?: unknown; responseCode?: unknown } =
    typeof error === 'object' && error !== null ? error : {};
  const facts = [code, command, responseCode].filter(
    (fact) => typeof fact === 'number' || (typeof fact === 'string' && /^[A-Z][A-Z0-9 ]{0,30}$/.test(fact)),
  );
  return new Error(`the mail server did not take the mail (${facts.join(', ') || 'no reason given'})`);
}

/**
 * Writes every mail to a file and logs the file, for a server without SMTP. The text is not encoded, so that links can be
 * copied.
 */
export function createOutboxMailer(folder: string, sender: Sender, logger: Logger): Mailer {
  return {
    async send(mail, id) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { from, to, subject, messageId, headers } = message(mail, id, sender);
      const head = {
        From: from,
        To: to.address,
        Subject: subject,
        Date: new Date().toUTCString(),
        'Message-ID': messageId,
        ...headers,
        'MIME-Version': '1.0',
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Transfer-Encoding': '8bit',
      };
      const lines = Object.entries(head).map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}`);
      const file = join(folder, `${id}.eml`);
      await writeFile(`${file}.part`, `${lines.join('\n')}\n\n${mail.text}`, { mode: 0o600 });
      await rename(`${file}.part`, file);
      logger.info({ file }, 'a mail was written to a file, because SMTP_URL is not set');
    },
    close: () => {},
  };
}

function message(mail: Mail, id: string, { from, publicUrl }: Sender) {
  return {
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    messageId: `<${id}@${new URL(publicUrl).hostname}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(mail.unsubscribeUrl && {
        'List-Unsubscribe': `<${mail.unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    // The content of a mail must not make the server read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  } satisfies SendMailOptions;
}
