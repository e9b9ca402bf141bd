import { createError } from '../http/errors.ts';

export const premiumRequired = () =>
  createError(
    'api_keys.premium_required',
    'only premium has webhooks',
    'Webhooks are part of the premium plan.',
  );
