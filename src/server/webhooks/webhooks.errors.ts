import { AppError } from '../http/errors.ts';

export function premiumRequired(): AppError {
  return new AppError('api_keys.premium_required', 'only premium has webhooks', {
    status: 403,
    userMessage: 'Webhooks are part of the premium plan.',
  });
}
