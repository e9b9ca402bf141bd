import type { Mail, Mailer } from '../../src/server/platform/mailer.ts';

/** Keeps mails in memory, newest last; a repeated attempt replaces the first. */
export function createMemoryMailer(): Mailer & { sent: readonly Mail[] } {
  const sent: Mail[] = [];
  const places = new Map<string, number>();
  return {
    sent,
    async send(mail, id) {
      const place = places.get(id) ?? sent.length;
      places.set(id, place);
      sent[place] = mail;
    },
    close: () => {},
  };
}
