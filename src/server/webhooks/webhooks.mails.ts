import { PAGES } from '#contract/paths';
import { type Notice, noticeMail } from '../accounts/accounts.mails.ts';
import type { Mail } from '../platform/mailer.ts';

export function secretMadeMail(notice: Notice): Mail {
  return noticeMail(notice, {
    subject: 'A new webhook secret',
    happened: 'a secret for webhooks was made in your account',
    means:
      'From now on webhooks are signed with it. Programs that check them need the new one within a day. It opens nothing here.',
    notYou: `If this was not you, make another one on ${notice.publicUrl}${PAGES.account} and change your password, which signs every other device out. If you need help, write to {support}.`,
  });
}
