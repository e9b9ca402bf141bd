import { callsOf } from './client.ts';

/** Clients of the API, one for each slice of the server. */
export const recognition = callsOf(() => import('#contract/calls/recognition'));
export const accounts = callsOf(() => import('#contract/calls/accounts'));
export const registration = callsOf(() => import('#contract/calls/registration'));
export const billing = callsOf(() => import('#contract/calls/billing'));
export const savedTexts = callsOf(() => import('#contract/calls/saved-texts'));
export const apiKeys = callsOf(() => import('#contract/calls/api-keys'));
export const webhooks = callsOf(() => import('#contract/calls/webhooks'));
export const waitlist = callsOf(() => import('#contract/calls/waitlist'));
export const site = callsOf(() => import('#contract/calls/site'));
export const content = callsOf(() => import('#contract/calls/content'));
