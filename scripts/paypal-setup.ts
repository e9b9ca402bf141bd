/**
 * `npm run paypal-setup`: creates the product, the monthly plan and the webhook at PayPal, and prints the settings for the
 * server. Idempotent: another run finds the existing product and plan.
 */

import { existsSync } from 'node:fs';
import { paypalWebhook } from '../src/contract/calls/billing.ts';
import { PayPalClient } from '../src/server/billing/paypal-client.ts';
import { ensurePlan, WEBHOOK_EVENTS } from '../src/server/billing/paypal-provider.ts';

if (existsSync('.env')) process.loadEnvFile('.env');
const { PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET, PAYPAL_WEBHOOK_ID, PUBLIC_URL } = process.env;
const baseUrl = process.env.PAYPAL_BASE_URL || 'https://api-m.paypal.com';

if (process.argv.includes('--help') || !PAYPAL_CLIENT_ID || !PAYPAL_CLIENT_SECRET || !PUBLIC_URL) {
  console.log(
    'Set PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET and PUBLIC_URL (https), and PAYPAL_BASE_URL=https://api-m.sandbox.paypal.com to try it without money. Then run npm run paypal-setup.',
  );
  process.exit(process.argv.includes('--help') ? 0 : 2);
}

const client = new PayPalClient({
  baseUrl,
  clientId: PAYPAL_CLIENT_ID,
  clientSecret: PAYPAL_CLIENT_SECRET,
});
try {
  const planId = await ensurePlan(client);
  const webhookId =
    PAYPAL_WEBHOOK_ID || (await client.createWebhook(`${PUBLIC_URL}${paypalWebhook.path}`, WEBHOOK_EVENTS));
  console.log(`PAYPAL_BASE_URL=${baseUrl}\nPAYPAL_PLAN_ID=${planId}\nPAYPAL_WEBHOOK_ID=${webhookId}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
