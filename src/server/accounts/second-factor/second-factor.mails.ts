import type { Mail } from '../../platform/mailer.ts';
import { type Notice, noticeMail } from '../accounts.mails.ts';

/** Notifies a user of every change of the second factor. */

export function turnedOnMail(notice: Notice): Mail {
  return noticeMail(notice, {
    subject: 'Two-step sign-in is on',
    event: 'two-step sign-in was turned on for your account',
    consequences:
      'From now on, signing in asks for a code from your authenticator app. Every other device was signed out. Keep your recovery codes where you would find them without your phone.',
    advice:
      'If this was not you, someone knows your password. Set a new one with "Forgot password", and write to {support} so that we can turn it off again.',
  });
}

export function turnedOffMail(notice: Notice): Mail {
  return noticeMail(notice, {
    subject: 'Two-step sign-in is off',
    event: 'two-step sign-in was turned off for your account',
    consequences:
      'Signing in asks for your password alone. You can turn it on again in your account settings.',
    advice:
      'If this was not you, set a new password with "Forgot password" at once: that signs every device out. Then turn two-step sign-in on again, and write to {support}.',
  });
}

export function codesRenewedMail(notice: Notice): Mail {
  return noticeMail(notice, {
    subject: 'New recovery codes',
    event: 'new recovery codes were made for your account',
    consequences: 'The older ones work no more.',
    advice:
      'If this was not you, set a new password with "Forgot password" at once: that signs every device out. Then write to {support}.',
  });
}

export function recoveryCodeUsedMail(notice: Notice, left: number): Mail {
  return noticeMail(notice, {
    subject: 'A recovery code was used',
    event: 'a recovery code was used on your account instead of a code from your authenticator app',
    consequences:
      left === 0
        ? 'It was your last one. Please make new ones in your account settings.'
        : `It works no more; ${left === 1 ? 'one is' : `${left} are`} left.`,
    advice:
      'If this was not you, set a new password with "Forgot password" at once: that signs every device out. Then make new recovery codes, and write to {support}.',
  });
}

export function codesGuessedMail(notice: Notice): Mail {
  return noticeMail(notice, {
    subject: 'Wrong codes for your account',
    event: 'someone entered your correct password, and then several wrong codes',
    consequences: 'No one was signed in. Further codes are refused for a while; a recovery code still works.',
    advice:
      'If this was not you, someone knows your password. Please set a new one with "Forgot password", and change it wherever else you use it.',
  });
}
