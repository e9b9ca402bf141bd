import { API_SCOPES, type ApiScope, MAX_API_KEYS } from '#contract/api-key-rules';
import { BRAND } from '#contract/product';
import { createError } from '../http/errors.ts';

/** The same for what is no key, for one that never was and for one that was revoked. */
export const unknownKey = () =>
  createError(
    'api_keys.unknown',
    'This API key is not valid. It may have been revoked; make another one in your account.',
    { challenge: `Bearer realm="${BRAND.name}", error="invalid_token"` },
  );

export const outOfScope = (scope: ApiScope) =>
  createError(
    'api_keys.out_of_scope',
    `This API key was made for something else. Make one that may do this: “${API_SCOPES[scope]}”.`,
    {
      reason: `the API key lacks the scope ${scope}`,
      challenge: `Bearer realm="${BRAND.name}", error="insufficient_scope", scope="${scope}"`,
    },
  );

export const premiumOver = () =>
  createError(
    'api_keys.premium_over',
    'API keys are part of the premium plan, and it is over. This key works again once it is back.',
  );

export const premiumRequired = () =>
  createError('api_keys.premium_required', 'API keys are part of the premium plan.', {
    reason: 'only premium makes API keys',
  });

export const tooManyKeys = () =>
  createError(
    'api_keys.too_many',
    `You have ${MAX_API_KEYS} keys already. Revoke one that is not needed any more.`,
    { reason: `the person has ${MAX_API_KEYS} API keys` },
  );
