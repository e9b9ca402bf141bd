import { PAGES } from '#contract/paths';
import { type Notice, noticeMail } from '../accounts/accounts.mails.ts';
import type { Mail } from '../platform/mailer.ts';

/** The key's name is its maker's own text, who may be a stranger at an open screen: it is not repeated here. */
export function keyMadeMail(notice: Notice): Mail {
  return noticeMail(notice, {
    subject: 'A new API key',
    happened: 'an API key was made in your account',
    means:
      'With it a program reads pictures in your name and uses up your quota. It opens neither your account nor your texts nor payments.',
    notYou: `If this was not you, revoke it on ${notice.publicUrl}${PAGES.account} and change your password, which signs every other device out. If you need help, write to {support}.`,
  });
}
