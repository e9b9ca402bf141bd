import { PAGES } from '#contract/paths';
import { BRAND } from '#contract/product';
import { mailedLink } from '#contract/return-urls';
import type { Clock } from '../platform/clock.ts';
import type { Mail } from '../platform/mailer.ts';
import type { UsersTable } from './accounts.tables.ts';

/**
 * Mails about a user's account. The single-use token of a link is in the fragment, which browsers send to no server and
 * in no Referer.
 */

export interface MailFields {
  to: string;
  username: string;
  publicUrl: string;
}

/** Fields of a mail that notifies the owner of a change of the account. */
export interface Notice extends MailFields {
  supportEmail: string;
  when: Date;
}

type Addressee = Pick<UsersTable, 'email' | 'username'>;

/** Common fields of all mails to a user. `to`: overrides the account's address. */
export interface MailTemplateContext {
  mailFields(person: Addressee, to?: string): MailFields;
  notice(person: Addressee, to?: string): Notice;
}

export function createMailTemplateContext({
  publicUrl,
  supportEmail,
  clock,
}: {
  publicUrl: string;
  supportEmail: string;
  clock: Clock;
}): MailTemplateContext {
  const mailFields = ({ email, username }: Addressee, to = email): MailFields => ({
    to,
    username,
    publicUrl,
  });
  return {
    mailFields,
    notice: (person, to) => ({ ...mailFields(person, to), supportEmail, when: clock.now() }),
  };
}

interface NoticeTexts {
  /** Text before the product name. */
  subject: string;
  /** Text after the date: "the password of your account was changed". */
  event: string;
  /** The consequences, in whole sentences. */
  consequences: string;
  /** What to do about it; `{support}` is the support address. */
  advice: string;
}

const DATE_FORMAT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

export function noticeMail(
  { to, username, publicUrl, supportEmail, when }: Notice,
  { subject, event, consequences, advice }: NoticeTexts,
): Mail {
  return {
    to,
    subject: `${subject} at ${BRAND.name}`,
    text: `Hello ${username},\n\non ${DATE_FORMAT.format(when)} (UTC), ${event}. ${consequences}\n\n${advice.replace('{support}', supportEmail)}${signature(publicUrl)}`,
  };
}

export const signature = (publicUrl: string): string => `\n\n${BRAND.name}\n${publicUrl}\n`;

/** `token`: null if a sign-in provider has verified the address. */
export function welcomeMail({ to, username, publicUrl }: MailFields, token: string | null): Mail {
  const verification = token
    ? `\n\nPlease sign in and confirm this address, so that you can get back in if you ever lose your password:\n${mailedLink(publicUrl, 'verify', token)}\n\nThe link works for seven days.`
    : '';
  return {
    to,
    subject: `Welcome to ${BRAND.name}, ${username}`,
    text: `Hello ${username},\n\nyour account is ready and premium is active: more extractions, every installed language, and room for your texts.${verification}\n\nIf you did not register, someone else entered your address. Ignore this mail; or use "Forgot password" to make the account yours.${signature(publicUrl)}`,
  };
}

export function verificationMail({ to, username, publicUrl }: MailFields, token: string): Mail {
  return {
    to,
    subject: `Confirm your address for ${BRAND.name}`,
    text: `Hello ${username},\n\nplease confirm this address while you are signed in:\n${mailedLink(publicUrl, 'verify', token)}\n\nThe link works once and for seven days. If you did not ask for it, do nothing: your account stays as it is.${signature(publicUrl)}`,
  };
}

export function passwordResetMail({ to, username, publicUrl }: MailFields, token: string): Mail {
  return {
    to,
    subject: `Set a new password for ${BRAND.name}`,
    text: `Hello ${username},\n\nhere you can set a new password:\n${mailedLink(publicUrl, 'reset', token)}\n\nThe link works once and for an hour. If you did not ask for it, do nothing: your password stays as it is.${signature(publicUrl)}`,
  };
}

export function newDeviceMail(notice: Notice, device: string): Mail {
  return noticeMail(notice, {
    subject: 'A new sign-in to your account',
    event: `someone signed in to your account with a new browser (${device})`,
    consequences: 'If it was you, there is nothing to do.',
    advice: `If this was not you, set a new password with "Forgot password" at once: that signs every device out. Where you are signed in stands on ${notice.publicUrl}${PAGES.account}. If you need help, write to {support}.`,
  });
}

export function linkedMail(notice: Notice, provider: string): Mail {
  return noticeMail(notice, {
    subject: 'A sign-in was linked to your account',
    event: `sign-in with ${provider} was linked to your account`,
    consequences: 'It opens your account from now on.',
    advice:
      'If this was not you, set a new password with "Forgot password" at once, unlink it in your account settings, and write to {support}.',
  });
}

export function unlinkedMail(notice: Notice, provider: string): Mail {
  return noticeMail(notice, {
    subject: 'A sign-in was unlinked from your account',
    event: `sign-in with ${provider} was unlinked from your account`,
    consequences: 'Your account opens with your password.',
    advice:
      'If this was not you, set a new password with "Forgot password" at once: that signs every device out. Then write to {support}.',
  });
}

/** Sent to the former address too, in case someone else changed it. */
export function emailChangedMail(notice: Notice): Mail {
  return noticeMail(notice, {
    subject: 'Your address was changed',
    event: 'the email address of your account was changed',
    consequences: 'Our mails go to the new address from now on.',
    advice: 'If this was not you, please write to {support} at once.',
  });
}

export function passwordChangedMail(notice: Notice): Mail {
  return noticeMail(notice, {
    subject: 'Your password was changed',
    event: 'the password of your account was changed',
    consequences: 'Every other device was signed out.',
    advice: 'If this was not you, set a new password with "Forgot password" and write to {support}.',
  });
}

export function passwordAndKeysChangedMail(notice: Notice): Mail {
  return noticeMail(notice, {
    subject: 'Your password was changed',
    event: 'the password of your account was changed and all of its API keys were revoked',
    consequences: 'Every other device was signed out, and programs need a new key.',
    advice: 'If this was not you, set a new password with "Forgot password" and write to {support}.',
  });
}

export function accountDeletedMail({ to, username, publicUrl }: MailFields): Mail {
  return {
    to,
    subject: `Your account at ${BRAND.name} is deleted`,
    text: `Hello ${username},\n\nyour account, your saved texts and your settings are deleted, and your subscription is cancelled. We keep only the payment records that the law requires.${signature(publicUrl)}`,
  };
}
