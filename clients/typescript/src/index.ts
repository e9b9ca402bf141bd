/** Client of the Glyphlift API, for Node 20 and browsers. */

export {
  type CallOptions,
  type ClientOptions,
  Glyphlift,
  type JobOptions,
  type ReadOptions,
  type SendOptions,
  type Source,
} from './client.ts';
export { GlyphliftError, JobTimeout, WebhookRefused } from './errors.ts';
export type * from './types.ts';
export { type SentWebhook, verifyWebhook } from './webhooks.ts';
