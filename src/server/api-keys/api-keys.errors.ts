import { API_SCOPES, type ApiScope, MAX_API_KEYS } from '#contract/api-key-rules';
import { BRAND } from '#contract/product';
import { createError } from '../http/errors.ts';

/** The same error for malformed, unknown and revoked keys. */
export const unknownKey = () =>
  createError(
    'api_keys.unknown',
    'This API key is not valid. It may have been revoked; create a new one in your account.',
    { challenge: `Bearer realm="${BRAND.name}", error="invalid_token"` },
  );

export const outOfScope = (scope: ApiScope) =>
  createError(
    'api_keys.out_of_scope',
    `This API key lacks a permission. Create one with this permission: “${API_SCOPES[scope]}”.`,
    {
      reason: `the API key lacks the scope ${scope}`,
      challenge: `Bearer realm="${BRAND.name}", error="insufficient_scope", scope="${scope}"`,
    },
  );

export const premiumOver = () =>
  createError(
    'api_keys.premium_over',
    'API keys are part of the premium plan, which has ended. This key works again once you renew it.',
  );

export const premiumRequired = () =>
  createError('api_keys.premium_required', 'API keys are part of the premium plan.', {
    reason: 'creating API keys requires premium',
  });

export const tooManyKeys = () =>
  createError(
    'api_keys.too_many',
    `You already have ${MAX_API_KEYS} keys. Revoke one that you no longer need.`,
    { reason: `the person has ${MAX_API_KEYS} API keys` },
  );
