import type { Call } from './call.ts';
import * as accounts from './calls/accounts.ts';
import * as apiKeys from './calls/api-keys.ts';
import * as billing from './calls/billing.ts';
import * as content from './calls/content.ts';
import * as jobs from './calls/jobs.ts';
import * as recognition from './calls/recognition.ts';
import * as registration from './calls/registration.ts';
import * as savedTexts from './calls/saved-texts.ts';
import * as site from './calls/site.ts';
import * as waitlist from './calls/waitlist.ts';
import * as webhooks from './calls/webhooks.ts';

/** Every call of the product by the name it is declared under, in the groups and the order in which they are described. */
export const CALLS: Readonly<Record<string, Readonly<Record<string, Call>>>> = {
  Recognition: recognition,
  Jobs: jobs,
  People: accounts,
  'API keys': apiKeys,
  Webhooks: webhooks,
  Joining: registration,
  Paying: billing,
  'Saved texts': savedTexts,
  Waitlist: waitlist,
  Blog: content,
  Site: site,
};
