import { API_SCOPES, type ApiScope, MAX_API_KEYS } from '#contract/api-key-rules';
import { BRAND } from '#contract/product';
import { createError } from '../http/errors.ts';

/** The same for what is no key, for one that never was and for one that was revoked. */
export const unknownKey = () =>
  createError(
    'api_keys.unknown',
    'no such API key',
    'This API key is not valid. It may have been revoked; make another one in your account.',
    { challenge: `Bearer realm="${BRAND.name}", error="invalid_token"` },
  );

export const outOfScope = (scope: ApiScope) =>
  createError(
    'api_keys.out_of_scope',
    `the API key lacks the scope ${scope}`,
    `This API key was made for something else. Make one that may do this: “${API_SCOPES[scope]}”.`,
    { challenge: `Bearer realm="${BRAND.name}", error="insufficient_scope", scope="${scope}"` },
  );

export const premiumOver = () =>
  createError(
    'api_keys.premium_over',
    'the owner of the API key has no premium',
    'API keys are part of the premium plan, and it is over. This key works again once it is back.',
  );

export const premiumRequired = () =>
  createError(
    'api_keys.premium_required',
    'only premium makes API keys',
    'API keys are part of the premium plan.',
  );

export const tooManyKeys = () =>
  createError(
    'api_keys.too_many',
    `the person has ${MAX_API_KEYS} API keys`,
    `You have ${MAX_API_KEYS} keys already. Revoke one that is not needed any more.`,
  );
