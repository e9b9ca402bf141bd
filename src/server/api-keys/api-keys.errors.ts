import { API_SCOPES, type ApiScope, MAX_API_KEYS } from '#contract/api-key-rules';
import { BRAND } from '#contract/product';
import { AppError } from '../http/errors.ts';

/** The same for what is no key, for one that never was and for one that was revoked. */
export function unknownKey(): AppError {
  return new AppError('api_keys.unknown', 'no such API key', {
    status: 401,
    userMessage: 'This API key is not valid. It may have been revoked; make another one in your account.',
    challenge: `Bearer realm="${BRAND.name}", error="invalid_token"`,
  });
}

export function outOfScope(scope: ApiScope): AppError {
  return new AppError('api_keys.out_of_scope', `the API key lacks the scope ${scope}`, {
    status: 403,
    userMessage: `This API key was made for something else. Make one that may do this: “${API_SCOPES[scope]}”.`,
    challenge: `Bearer realm="${BRAND.name}", error="insufficient_scope", scope="${scope}"`,
  });
}

export function premiumOver(): AppError {
  return new AppError('api_keys.premium_over', 'the owner of the API key has no premium', {
    status: 403,
    userMessage:
      'API keys are part of the premium plan, and it is over. This key works again once it is back.',
  });
}

export function premiumRequired(): AppError {
  return new AppError('api_keys.premium_required', 'only premium makes API keys', {
    status: 403,
    userMessage: 'API keys are part of the premium plan.',
  });
}

export function tooManyKeys(): AppError {
  return new AppError('api_keys.too_many', `the person has ${MAX_API_KEYS} API keys`, {
    status: 409,
    userMessage: `You have ${MAX_API_KEYS} keys already. Revoke one that is not needed any more.`,
  });
}
