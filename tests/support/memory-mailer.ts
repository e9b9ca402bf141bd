import type { Mail, Mailer } from '../../src/server/platform/mailer.ts';

/** Keeps mails in memory, newest last. A repeated attempt replaces the first one. */
export function createMemoryMailer(): Mailer & { sent: readonly Mail[] } {
  const sent: Mail[] = [];
  const indices = new Map<string, number>();
  return {
    sent,
    async send(mail, id) {
      const place = indices.get(id) ?? sent.length;
      indices.set(id, place);
      sent[place] = mail;
    },
    close: () => {},
  };
}
