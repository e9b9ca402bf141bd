import { getResponse, HttpResponse, http, type RequestHandler } from 'msw';
import { page, userEvent } from 'vitest/browser';
import type { z } from 'zod';
import type { Account, SessionsResponse, User } from '#contract/account';
import type { ApiKey } from '#contract/api-key';
import type { SubscriptionState } from '#contract/billing';
import type { Call } from '#contract/call';
import * as people from '#contract/calls/accounts';
import * as apiKeys from '#contract/calls/api-keys';
import * as paying from '#contract/calls/billing';
import * as joining from '#contract/calls/registration';
import * as savedTexts from '#contract/calls/saved-texts';
import * as webhooks from '#contract/calls/webhooks';
import type { Usage } from '#contract/extraction';
import { HEADERS, shownPerson } from '#contract/headers';
import type { changeTextRequestSchema, saveTextRequestSchema, WholeText } from '#contract/saved-text';
import type { SecondFactorStatus } from '#contract/second-factor';
import { type OpenApplication, type OpenOptions, openApplication } from './application.tsx';
import { type Answerer, answers, errorResponse, type ServerState, worker } from './server.ts';

/* Accounts of the mocked server, and how a test signs them in. */

export const PASSWORD = 'harbour lights 7';

/** Premium is available. By default it is coming soon. */
export const AVAILABLE = { premiumAvailability: 'available' } as const;

/** All data of one account on the mocked server; a test may change it at any time. */
export interface Member {
  user: User;
  usage: Usage;
  account: Account;
  subscription: SubscriptionState | null;
  sessions: SessionsResponse['sessions'];
  keys: ApiKey[];
  webhookSecretMadeAt: string | null;
  secondFactor: SecondFactorStatus;
  texts: WholeText[];
}

const PREMIUM_USAGE: Usage = {
  imageCount: 0,
  dailyLimit: 1500,
  period: 'month',
  resetsAt: '2026-06-01T00:00:00.000Z',
};

const SUBSCRIPTION: SubscriptionState = {
  status: 'active',
  provider: 'demo',
  startedAt: '2026-05-01T10:00:00.000Z',
  periodEnd: '2026-06-01T10:00:00.000Z',
  graceUntil: null,
  premium: true,
};

/** A premium subscriber, signed in with one browser. */
export function member(username: string, changes: Partial<Member> = {}): Member {
  const email = `${username}@example.org`;
  return {
    user: { username, email, isPremium: true },
    usage: PREMIUM_USAGE,
    account: {
      username,
      email,
      emailVerified: true,
      pendingEmail: null,
      hasPassword: true,
      createdAt: '2026-05-01T10:00:00.000Z',
      identities: [],
    },
    subscription: SUBSCRIPTION,
    sessions: [session({ id: 'this', current: true })],
    keys: [],
    webhookSecretMadeAt: null,
    secondFactor: null,
    texts: [],
    ...changes,
  };
}

/** An account without premium. */
export function freeMember(username: string, changes: Partial<Member> = {}): Member {
  const user = { username, email: `${username}@example.org`, isPremium: false };
  return member(username, { user, usage: VISITOR_STATE.usage, subscription: null, ...changes });
}

export const session = (changes: Partial<Member['sessions'][number]> = {}): Member['sessions'][number] => ({
  id: 'other',
  current: false,
  device: 'Firefox on Linux',
  createdAt: '2026-05-01T10:00:00.000Z',
  lastSeenAt: '2026-05-04T09:00:00.000Z',
  ...changes,
});

export const savedText = (
  name: string,
  text: string,
  id = name.toLowerCase().replaceAll(' ', '-'),
): WholeText => ({
  id,
  name,
  text,
  preview: text.slice(0, 200),
  bytes: text.length,
  language: 'eng',
  createdAt: '2026-05-02T10:00:00.000Z',
  version: 1,
  doubtful: null,
});

export interface PeopleOptions extends OpenOptions {
  /** Other accounts that can sign in. */
  others?: Member[];
}

export interface OpenPeople extends OpenApplication {
  /** Changes who is signed in without notifying the page, like another tab or device. */
  setSession: (who: Member | null) => void;
}

/** Opens the application for a signed-in user, or for a visitor if `who` is null. The `others` can sign in. */
export async function openAs(
  who: Member | null,
  path = '/',
  { others = [], state = {}, ...options }: PeopleOptions = {},
): Promise<OpenPeople> {
  const members = who ? [who, ...others] : others;
  const accounts: AccountState = { members, who, state: null };
  worker.use(...worker.listHandlers(), ...handlersOfPeople(accounts));
  const application = await openApplication(path, {
    ...options,
    state: { ...(who && stateOfMember(who)), ...state },
  });
  accounts.state = application.state;
  return { ...application, setSession: (next) => signIn(accounts, next) };
}

interface AccountState {
  members: Member[];
  /** The owner of this browser's session. */
  who: Member | null;
  /** Null until the application is open. */
  state: ServerState | null;
}

const stateOfMember = ({ user, usage, subscription }: Member): Partial<ServerState> => ({
  user,
  subscription,
  usage,
  payment: {
    provider: 'demo',
    payingFor: user.isPremium
      ? null
      : {
          kind: 'upgrade',
          username: user.username,
          email: user.email,
          keptUntil: null,
          underWay: false,
          lost: false,
        },
    finished: null,
    claim: null,
  },
});

const VISITOR_STATE: Pick<ServerState, 'user' | 'usage' | 'subscription' | 'payment'> = {
  user: null,
  subscription: null,
  usage: { imageCount: 0, dailyLimit: 3, period: 'day', resetsAt: '2026-05-05T00:00:00.000Z' },
  payment: { provider: 'demo', payingFor: null, finished: null, claim: null },
};

function signIn(accounts: AccountState, who: Member | null): void {
  accounts.who = who;
  if (accounts.state) Object.assign(accounts.state, VISITOR_STATE, who && stateOfMember(who));
}

const emptyResponse = () => HttpResponse.json({});

function handlersOfPeople(accounts: AccountState): RequestHandler[] {
  /** The handler of a call that needs a signed-in user. */
  const forUser = <C extends Call>(
    call: C,
    answer: (owner: Member, request: Request, params: Record<string, string>) => ReturnType<Answerer<C>>,
  ) =>
    answers(call, (request, params) =>
      accounts.who
        ? answer(accounts.who, request, params)
        : errorResponse(401, { error: 'Please sign in first.', code: 'accounts.sign_in_required' }),
    );
  const noSuchText = () => errorResponse(404, { error: 'No such text', code: 'saved_texts.no_such_text' });

  return [
    personCheck(accounts),

    answers(people.login, async (request) => {
      const { username, password } = await request.json();
      const found = accounts.members.find(({ user }) => user.username === username);
      if (!found || password !== PASSWORD)
        return errorResponse(401, {
          error: 'Wrong username or password.',
          code: 'accounts.wrong_credentials',
        });
      if (found.secondFactor) {
        accounts.who = null;
        return errorResponse(401, {
          error: 'Please enter the code that your authenticator app shows.',
          code: 'accounts.second_factor_required',
          requiresSecondFactor: true,
        });
      }
      signIn(accounts, found);
      return { user: found.user };
    }),
    answers(people.logout, () => {
      signIn(accounts, null);
      return emptyResponse();
    }),
    answers(joining.register, async (request) => {
      const { username, email } = await request.json();
      const payingFor = {
        kind: 'registration' as const,
        username,
        email,
        keptUntil: '2026-05-05T10:00:00.000Z',
        underWay: false,
        lost: false,
      };
      if (accounts.state) accounts.state.payment = { ...VISITOR_STATE.payment, payingFor };
      return {
        error: 'Payment required',
        code: 'accounts.payment_required' as const,
        requiresPayment: true as const,
        email,
      };
    }),
    answers(paying.pay, () => {
      const { state } = accounts;
      const { payingFor } = state?.payment ?? {};
      if (!state || !payingFor) return errorResponse(409, { error: 'There is nothing to pay for.' });
      const { kind, username } = payingFor;
      state.payment = { ...VISITOR_STATE.payment };
      if (kind === 'registration') accounts.members.push(member(username));
      else signIn(accounts, member(username));
      return { status: 'completed' as const, kind };
    }),

    forUser(people.getAccount, ({ account }) => account),
    forUser(people.listSessions, ({ sessions }) => ({ sessions })),
    forUser(people.endSession, (owner, _request, { id }) => {
      owner.sessions = owner.sessions.filter((one) => one.id !== id);
      return emptyResponse();
    }),
    forUser(people.getSecondFactor, ({ secondFactor }) => ({ secondFactor })),
    forUser(apiKeys.listApiKeys, ({ keys }) => ({ keys })),
    forUser(webhooks.getWebhookSecret, ({ webhookSecretMadeAt }) => ({ madeAt: webhookSecretMadeAt })),

    forUser(savedTexts.listTexts, ({ texts }, request) => {
      const search = new URL(request.url).searchParams.get('search')?.toLowerCase() ?? '';
      const found = texts.filter((one) => `${one.name} ${one.text}`.toLowerCase().includes(search));
      return {
        texts: found.map(({ text, reading: _reading, ...one }) => ({
          ...one,
          preview: text.slice(0, 200),
          ...(search !== '' && {
            found: {
              name: marksIn(one.name, search),
              excerpt: text.slice(0, 200),
              marks: marksIn(text, search),
            },
          }),
        })),
        storage: { usedBytes: 1024, limitBytes: 1024 ** 3 },
        next: null,
      };
    }),
    forUser(savedTexts.readText, ({ texts }, _request, { id }) => {
      const found = texts.find((one) => one.id === id);
      return found ? { text: found } : noSuchText();
    }),
    forUser(savedTexts.changeText, async ({ texts }, request, { id }) => {
      const found = texts.find((one) => one.id === id);
      if (!found) return noSuchText();
      const change: z.infer<typeof changeTextRequestSchema> = await request.json();
      if (change.version !== undefined && change.version !== found.version)
        return errorResponse(409, {
          error: 'It was changed elsewhere.',
          code: 'saved_texts.changed_elsewhere',
        });
      if (change.name !== undefined) found.name = change.name;
      if (change.text !== undefined) Object.assign(found, { text: change.text, version: found.version + 1 });
      if (found.reading && (change.work || change.text !== undefined))
        found.doubtful = change.doubtful ?? null;
      if (change.work && found.reading) found.reading = { ...found.reading, work: change.work };
      const { text: _text, reading: _reading, ...saved } = found;
      return { text: saved };
    }),
    forUser(savedTexts.saveText, async ({ texts }, request) => {
      const { name, text, reading, doubtful }: z.infer<typeof saveTextRequestSchema> = await request.json();
      const made = {
        ...savedText(name, text),
        ...(reading && { reading, doubtful: doubtful ?? null }),
      };
      texts.unshift(made);
      return { text: made };
    }),
    forUser(savedTexts.deleteText, (owner, _request, { id }) => {
      owner.texts = owner.texts.filter((one) => one.id !== id);
      return emptyResponse();
    }),
  ];
}

/**
 * Rejects, like the server, the calls of a page that shows another user than the signed-in one. A page that shows no user
 * gets its response, with the header that reports the new user.
 */
function personCheck(accounts: AccountState): RequestHandler {
  const changed = { [HEADERS.personChanged]: 'true' };
  const check: RequestHandler = http.all('/api/*', async ({ request }) => {
    const shown = request.headers.get(HEADERS.shownPerson);
    const username = accounts.who?.user.username ?? null;
    if (shown === null || shown === shownPerson(username)) return undefined;
    if (shown === shownPerson(null)) {
      const others = worker.listHandlers().filter((handler) => handler !== check);
      const response = await getResponse(others as RequestHandler[], request);
      response?.headers.set(HEADERS.personChanged, 'true');
      return response as HttpResponse<never> | undefined;
    }
    const error = username
      ? `This browser is signed in as ${username} now. Nothing was done; try again to go on as ${username}.`
      : 'You were signed out. Sign in to continue.';
    const response = username
      ? errorResponse(409, { error, code: 'accounts.signed_in_as_another' }, changed)
      : errorResponse(401, { error, code: 'accounts.session_ended', requiresAuth: true }, changed);
    return response as HttpResponse<never>;
  });
  return check;
}

function marksIn(text: string, word: string): { start: number; end: number }[] {
  const start = text.toLowerCase().indexOf(word);
  return start < 0 ? [] : [{ start, end: start + word.length }];
}

export const dialog = () => page.getByRole('dialog');
export const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
export const signInButton = () => button('Premium Sign In');
export const payment = () => page.getByTestId('payment-modal');

/** Fills in the dialog's Login tab and sends it. */
export async function logIn(username: string, password = PASSWORD): Promise<void> {
  await dialog().getByLabelText('Username').fill(username);
  await dialog().getByLabelText('Password').fill(password);
  await dialog().getByRole('button', { name: 'Login', exact: true }).click();
}

/** Fills in the dialog's Register tab and sends it. */
export async function register(username: string, password = PASSWORD): Promise<void> {
  await dialog().getByRole('tab', { name: 'Register' }).click();
  await dialog().getByLabelText('Username').fill(username);
  await dialog().getByLabelText('Email').fill(`${username}@example.org`);
  await dialog().getByLabelText('Password', { exact: true }).fill(password);
  await dialog().getByLabelText('Confirm Password').fill(password);
  await dialog().getByRole('button', { name: 'Create Account' }).click();
}

/** The text of the visible toast. It works behind a dialog too, which hides the toast from the accessibility tree. */
export const message = (): string =>
  document.querySelector('.toast-viewport > [data-state=open]')?.textContent ?? '';

/** Focuses an element and presses a key. */
export async function pressKey(find: () => Element, key = '{Enter}'): Promise<void> {
  (find() as HTMLElement).focus();
  await userEvent.keyboard(key);
}
