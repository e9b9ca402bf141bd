/** Creates accounts and texts in a new development database, with the same API calls as the page. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { login } from '../src/contract/calls/accounts.ts';
import { pay } from '../src/contract/calls/billing.ts';
import { register } from '../src/contract/calls/registration.ts';
import { saveText } from '../src/contract/calls/saved-texts.ts';
import { PREMIUM_PRICE } from '../src/contract/product.ts';
import { root } from './bootstrap.mjs';

export const PASSWORD = 'harbour lights 7';
export const PREMIUM = 'petra';
export const FREE = 'frederik';

/** Printed for the developer who starts the server. */
export const PEOPLE = `People:  ${PREMIUM} (premium, with saved texts) and ${FREE} (free), password “${PASSWORD}”`;

const TEXTS = [
  { name: 'Harbour lights', text: 'Harbour lights\nseven boats\nand none of them at sea.', language: 'eng' },
  { name: 'Receipt, 4 May', text: 'Bread 3.20\nMilk 1.15\nApples 2.40\n\nTotal 6.75', language: 'eng' },
  {
    name: 'Notice at the library',
    text: 'Closed on Monday for stocktaking.\nReturn books through the slot.',
    language: 'eng',
  },
];

/** @param server a running server with demo payments and no users */
export async function seedDatabase({ publicUrl }: { publicUrl: string }): Promise<void> {
  const petra = await becomePremium(publicUrl, PREMIUM);
  for (const text of TEXTS) await petra(saveText.path, text);
  await becomePremium(publicUrl, FREE);
  // Registration requires a payment, so the free account is one whose payment was refunded.
  await promisify(execFile)(
    process.execPath,
    ['scripts/start.mjs', 'admin', 'subscription', 'refund', FREE, '--yes'],
    { cwd: root, env: process.env },
  );
}

async function becomePremium(publicUrl: string, username: string) {
  const browser = createBrowser(publicUrl);
  const email = `${username}@example.org`;
  await browser(register.path, { username, email, password: PASSWORD }, 402);
  await browser(pay.path, { email, ...PREMIUM_PRICE });
  await browser(login.path, { username, password: PASSWORD });
  return browser;
}

/** Sends POST requests like a page, and stores cookies. */
function createBrowser(publicUrl: string) {
  const cookies = new Map<string, string>();
  return async (path: string, body: unknown, expected?: number): Promise<void> => {
    const answer = await fetch(`${publicUrl}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: publicUrl,
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
      },
      body: JSON.stringify(body),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    if (expected ? answer.status === expected : answer.ok) return;
    throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  };
}
