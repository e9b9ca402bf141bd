import { z } from 'zod';
import {
  demoSignInRequestSchema,
  demoSignInResponseSchema,
  linkIdentityResponseSchema,
  registerRequestSchema,
  registrationPendingSchema,
} from '../account.ts';
import { call, DONE, redirectsHome } from '../call.ts';
import { ACCOUNT_CHOSEN } from '../error-codes.ts';
import { AUTH_OUTCOMES, PAYMENT_OUTCOMES } from '../return-urls.ts';

/*
 * Registration until its payment, and third-party sign-in.
 */

const params = z.object({ provider: z.string().max(50) });

export const register = call({
  method: 'POST',
  path: '/api/register',
  summary: 'Register',
  description:
    'The registration is kept for this browser for a day, until it is paid. Success is answered with 402.',
  access: 'visitor',
  body: registerRequestSchema,
  answers: { 402: registrationPendingSchema },
  errors: [
    'accounts.registration_unavailable',
    'accounts.payment_under_way',
    'accounts.already_registered',
    ...ACCOUNT_CHOSEN,
  ],
});

export const dropRegistration = call({
  method: 'POST',
  path: '/api/registration/drop',
  summary: 'Discard the pending registration of this browser',
  access: 'visitor',
  answers: { 200: DONE },
  errors: ['accounts.registration_paid'],
});

export const signIn = call({
  method: 'GET',
  path: '/api/auth/:provider',
  summary: 'Sign in with another provider',
  description: 'To be opened in the browser.',
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
  summary: 'Return from the sign-in provider',
  access: 'visitor',
  limits: { longAddress: true },
  params,
  answers: redirectsHome([
    ...Object.values(AUTH_OUTCOMES).map((outcome) => `auth=${outcome}`),
    `payment=${PAYMENT_OUTCOMES.required} and an email`,
    `payment=${PAYMENT_OUTCOMES.waiting}`,
  ]),
  errors: ['http.not_found'],
});

export const demoSignIn = call({
  method: 'POST',
  path: '/api/demo-sign-in',
  summary: 'Choose an identity of the demo provider',
  description: 'Replaces a sign-in provider on a developer’s own machine; 404 elsewhere.',
  access: 'visitor',
  body: demoSignInRequestSchema,
  answers: { 200: demoSignInResponseSchema },
  errors: ['http.not_found'],
});

export const linkIdentity = call({
  method: 'POST',
  path: '/api/account/identities',
  summary: 'Link an account of another provider',
  description: 'The answer has the address to send the browser to.',
  access: 'user',
  answers: { 200: linkIdentityResponseSchema },
  errors: ['accounts.sign_in_provider_missing'],
});

export const unlinkIdentity = call({
  method: 'DELETE',
  path: '/api/account/identities/:provider',
  summary: 'Unlink an account of another provider',
  access: 'user',
  params,
  answers: { 200: DONE },
  errors: ['accounts.last_sign_in'],
});
