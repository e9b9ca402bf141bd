import { z } from 'zod';
import {
  demoSignInRequestSchema,
  demoSignInResponseSchema,
  linkIdentityResponseSchema,
  registerRequestSchema,
  registrationPendingSchema,
} from '../account.ts';
import { call, DONE } from '../call.ts';

/*
 * Joining: a registration that waits for its payment, and signing in by a third party's account.
 */

const params = z.object({ provider: z.string().max(50) });

const RETURNED =
  'To the start page, whose query says what came of it: auth=signed-in, auth=second-factor, auth=exists, auth=linked, auth=unpayable, auth=failed, payment=required with an email, or payment=waiting.';

export const register = call({
  method: 'POST',
  path: '/api/register',
  summary: 'Register',
  description:
    'The registration is kept for this browser until it is paid for, a day long. Nothing but 402 is a success.',
  access: 'visitor',
  body: registerRequestSchema,
  answers: { 402: registrationPendingSchema },
  errors: [
    'accounts.registration_unavailable',
    'accounts.username_taken',
    'accounts.email_taken',
    'accounts.payment_under_way',
    'accounts.already_registered',
    'accounts.common_password',
    'accounts.password_is_username',
    'accounts.password_is_address',
    'accounts.password_is_brand',
    'accounts.too_many_attempts',
    'accounts.passwords_busy',
  ],
});

export const dropRegistration = call({
  method: 'POST',
  path: '/api/registration/drop',
  summary: 'Let go of the registration that waits in this browser',
  access: 'visitor',
  answers: { 200: DONE },
  errors: ['accounts.registration_paid'],
});

export const signIn = call({
  method: 'GET',
  path: '/api/auth/:provider',
  summary: 'Sign in with a third party’s account',
  description: 'Opened in the browser.',
  access: 'visitor',
  params,
  answers: {
    303: { kind: 'redirect', description: 'To the provider, or to the start page with auth=failed.' },
  },
  errors: ['http.not_found'],
});

export const signInCallback = call({
  method: 'GET',
  path: '/api/auth/:provider/callback',
  summary: 'Where the provider sends the browser back to',
  access: 'visitor',
  limits: { longAddress: true },
  params,
  answers: { 303: { kind: 'redirect', description: RETURNED } },
  errors: ['http.not_found'],
});

export const demoSignIn = call({
  method: 'POST',
  path: '/api/demo-sign-in',
  summary: 'Choose who to be at the demo identity',
  description: 'Stands in for a sign-in provider on its owner’s own machine; 404 everywhere else.',
  access: 'visitor',
  body: demoSignInRequestSchema,
  answers: { 200: demoSignInResponseSchema },
  errors: ['http.not_found'],
});

export const linkIdentity = call({
  method: 'POST',
  path: '/api/account/identities',
  summary: 'Begin to link a third party’s account',
  description: 'The answer says where to send the browser.',
  access: 'user',
  answers: { 200: linkIdentityResponseSchema },
  errors: ['accounts.sign_in_provider_missing'],
});

export const unlinkIdentity = call({
  method: 'DELETE',
  path: '/api/account/identities/:provider',
  summary: 'Unlink a third party’s account',
  access: 'user',
  params,
  answers: { 200: DONE },
  errors: ['accounts.last_sign_in'],
});
