import { call, DONE } from '../call.ts';
import { premiumInterestRequestSchema, unsubscribeRequestSchema } from '../waitlist.ts';

/*
 * The waitlist: one mail on the day premium opens.
 */

export const joinWaitlist = call({
  method: 'POST',
  path: '/api/premium-interest',
  summary: 'Be told when premium opens',
  description: 'The answer does not tell whether the address was known.',
  access: 'visitor',
  body: premiumInterestRequestSchema,
  answers: { 200: DONE },
  errors: ['accounts.too_many_attempts', 'accounts.too_many_mails'],
});

export const leaveWaitlist = call({
  method: 'POST',
  path: '/api/premium-interest/unsubscribe',
  summary: 'Leave the waitlist',
  description:
    'The token stands in every mail of the waitlist, and is taken from the body or from the query: a mail program that unsubscribes for its person posts a form, with the token in the address (RFC 8058).',
  access: 'anyone',
  query: unsubscribeRequestSchema.partial(),
  body: unsubscribeRequestSchema.partial(),
  answers: { 200: DONE },
  errors: ['waitlist.bad_link'],
});
