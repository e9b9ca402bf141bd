import { call, DONE } from '../call.ts';
import { premiumInterestRequestSchema, unsubscribeRequestSchema } from '../waitlist.ts';

/*
 * The waitlist: one mail on the day premium opens.
 */

export const joinWaitlist = call({
  method: 'POST',
  path: '/api/premium-interest',
  summary: 'Join the waitlist',
  description: 'The answer is the same for known and unknown addresses.',
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
    'The token of every waitlist mail, in the body or in the query. Mail programs that unsubscribe with one click post a form with the token in the address (RFC 8058).',
  access: 'anyone',
  query: unsubscribeRequestSchema.partial(),
  body: unsubscribeRequestSchema.partial(),
  answers: { 200: DONE },
  errors: ['waitlist.bad_link'],
});
