import { BRAND } from '#contract/product';
import { mailedLink } from '#contract/return-urls';
import { type MailFields, signature } from '../accounts/accounts.mails.ts';
import type { Mail } from '../platform/mailer.ts';

const day = (date: Date) => date.toISOString().slice(0, 10);

export function receiptMail(
  { to, username, publicUrl }: MailFields,
  sale: { id: string; amount: string; currency: string; at: Date },
): Mail {
  return {
    to,
    subject: `Your receipt from ${BRAND.name}`,
    text: `Hello ${username},\n\nwe have received your payment.\n\nPremium Monthly    ${sale.amount} ${sale.currency}\nDate               ${day(sale.at)} (UTC)\nReference          ${sale.id}\n\nYou can cancel at any time in your settings and keep premium until the end of the period.${signature(publicUrl)}`,
  };
}

export function cancellationMail({ to, username, publicUrl }: MailFields, periodEnd: Date): Mail {
  return {
    to,
    subject: `Your ${BRAND.name} subscription is cancelled`,
    text: `Hello ${username},\n\nyour subscription is cancelled and nothing more will be charged. Premium stays yours until ${day(periodEnd)} (UTC); afterwards your account goes on as a free one.${signature(publicUrl)}`,
  };
}

/** Sent to the payer if another account took the registered name or address before the payment arrived. */
export function claimMail(to: string, publicUrl: string, token: string): Mail {
  return {
    to,
    subject: `Your payment to ${BRAND.name} has arrived: finish your registration`,
    text: `Hello,\n\nyour payment has arrived, but the username or the email address of your registration has been taken meanwhile. Nothing is lost: choose others here and your premium account is ready:\n${mailedLink(publicUrl, 'claim', token)}\n\nThe link works once and for thirty days.${signature(publicUrl)}`,
  };
}
