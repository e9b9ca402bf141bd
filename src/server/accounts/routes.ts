import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { API } from '#contract/paths';
import { AppError } from '../http/errors.ts';

const signedOut = () =>
  new AppError('accounts.signed_out', 'nobody is signed in', {
    status: 401,
    userMessage: 'You are not signed in.',
  });

export const accountRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(API.user, { config: { access: 'visitor' } }, async () => {
    throw signedOut();
  });
};
