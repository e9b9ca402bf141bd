import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { User } from '#contract/user';
import type { Config } from './config.ts';
import { createDemoIdentity } from './joining/demo-identity.ts';
import { createIdentityProvider, type IdentityProvider } from './joining/identity-provider.ts';
import { createRegistrations, type Registrations } from './joining/registrations.ts';
import { createSignInJourneys, type SignInJourneys } from './joining/sign-in-journey.ts';
import { type ThirdPartySignIn, thirdPartyRoutes } from './joining/third-party-routes.ts';
import { createDemoProvider } from './paying/demo-provider.ts';
import { createPayPalClient } from './paying/paypal-client.ts';
import { createPayPalProvider } from './paying/paypal-provider.ts';
import type { PaymentProvider } from './paying/provider.ts';
import { billingRoutes } from './paying/routes.ts';
import { type BillingService, createBillingService } from './paying/service.ts';
import { createWebhookCeiling, type WebhookCeiling } from './paying/webhook-ceiling.ts';
import { type Browser, createBrowser } from './people/browser.ts';
import { createMailRequests, type MailRequests } from './people/mail-requests.ts';
import { linkedMail, unlinkedMail } from './people/mails.ts';
import type { PasswordHasher } from './people/password.ts';
import { accountRoutes } from './people/routes.ts';
import { secondFactorRoutes } from './people/second-factor/routes.ts';
import { createSecondFactorService, type SecondFactorService } from './people/second-factor/service.ts';
import { createSecondFactorSignIn, type SecondFactorSignIn } from './people/second-factor/sign-in.ts';
import { type AccountsService, createAccountsService } from './people/service.ts';
import { createSessions, type Sessions, type SignedIn } from './people/sessions.ts';
import { settingsRoutes } from './people/settings-routes.ts';
import { createSignIns } from './people/sign-ins.ts';
import { createThrottle } from './people/throttle.ts';
import { type Accounts, createAccounts } from './people/users.ts';
import { createBackground } from './platform/background.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/database.ts';
import { createKeyring, type Keyring } from './platform/keyring.ts';
import type { Logger } from './platform/logger.ts';
import { createMailQueue, type MailQueue } from './platform/mail-queue.ts';
import type { Mailer } from './platform/mailer.ts';
import type { Secrets } from './platform/secrets.ts';
import { createQuota } from './recognition/quota.ts';
import { createSavedTexts, type SavedTexts } from './saved-texts/repository.ts';
import { savedTextsRoutes } from './saved-texts/routes.ts';
import { waitlistRoutes } from './waitlist/routes.ts';
import { createWaitlistService, type WaitlistService } from './waitlist/service.ts';

export interface MembershipDependencies {
  config: Config;
  secrets: Secrets;
  database: Database;
  clock: Clock;
  logger: Logger;
  mailer: Mailer;
  passwordHasher: PasswordHasher;
  /** Within which time requests for mails are looked at. Milliseconds; without it a few seconds. */
  mailRequestsWithinMs?: number | undefined;
}

/**
 * People and what they pay for, put together: accounts do not know what premium costs, and billing does not know who
 * may sign in; each gets from the other only the one thing that it asks for.
 */
export interface Membership {
  accounts: Accounts;
  accountsService: AccountsService;
  registrations: Registrations;
  sessions: Sessions;
  keyring: Keyring;
  browser: Browser;
  journeys: SignInJourneys;
  secondFactor: SecondFactorService;
  secondFactorSignIn: SecondFactorSignIn;
  billing: BillingService;
  webhookCeiling: WebhookCeiling;
  waitlist: WaitlistService;
  texts: SavedTexts;
  mails: MailQueue;
  mailRequests: MailRequests;
  paypal: PaymentProvider | undefined;
  /** A person as the page shows them. */
  present(userId: string): Promise<User | null>;
  /** Everything that is kept of a person but their texts, of which there may be a gigabyte. */
  factsOf(userId: string): Promise<object>;
  providerFor(request: FastifyRequest): PaymentProvider | undefined;
  /** What answers the third-party button for this request; undefined: nothing. */
  signInFor(request: FastifyRequest): ThirdPartySignIn | undefined;
  /** Once: looks after payments that nobody has brought to their end, and forgets what has expired. */
  upkeep(): Promise<void>;
  /** Looks after mails, payments and what has expired, until `stop`. */
  start(): void;
  stop(): Promise<void>;
}

const UPKEEP_MS = 60_000;

export function createMembership(dependencies: MembershipDependencies): Membership {
  const { config, secrets, database, clock, logger, mailer, passwordHasher } = dependencies;
  const { publicUrl, supportEmail } = config;
  const secure = publicUrl.startsWith('https:');
  const keyring = createKeyring(secrets);
  const noticeTo = ({ email, username }: { email: string; username: string }) => ({
    to: email,
    username,
    publicUrl,
    supportEmail,
    when: clock.now(),
  });
  const accounts = createAccounts(database, clock, {
    linked: (transaction, user, provider) => mails.enqueue(transaction, linkedMail(noticeTo(user), provider)),
    unlinked: (transaction, user, provider) =>
      mails.enqueue(transaction, unlinkedMail(noticeTo(user), provider)),
  });
  const registrations = createRegistrations(database, clock);
  const quota = createQuota(database);
  const sessions = createSessions(database, clock);
  const throttle = createThrottle(database, clock, secrets.addressKey);
  const mails = createMailQueue({ database, mailer, clock, logger });
  const paypal = createPayPal(config);
  const demo = createDemoProvider(clock);
  const billing = createBillingService({
    database,
    providers: { paypal, demo },
    mails,
    throttle,
    hasher: passwordHasher,
    clock,
    logger,
    publicUrl,
  });
  const mailRequests = createMailRequests({
    database,
    mails,
    clock,
    logger,
    answers: {
      reset: (transaction, email) => accountsService.mailReset(transaction, email),
      waitlist: (transaction, email) => waitlist.add(transaction, email),
    },
    withinMs: dependencies.mailRequestsWithinMs,
  });
  const accountsService = createAccountsService({
    database,
    accounts,
    registrations,
    throttle,
    hasher: passwordHasher,
    mails,
    mailRequests,
    clock,
    publicUrl,
    supportEmail,
    async beforeDeletion(userId) {
      await billing.letGo(userId);
      await quota.forgetHolder(userId);
    },
    paymentOf: (registrationId) => billing.paymentOf(registrationId),
  });
  const signIns = createSignIns({ database, sessions, mails, clock, publicUrl, supportEmail });
  const browser = createBrowser({ sessions, signIns, registrations, keyring, secure });
  const secondFactor = createSecondFactorService({
    database,
    keyring,
    throttle,
    mails,
    clock,
    publicUrl,
    supportEmail,
    confirmPassword: (person, password) => accountsService.confirmPassword(person, password),
  });
  const waitlist = createWaitlistService({
    database,
    mails,
    mailRequests,
    throttle,
    clock,
    keyring,
    publicUrl,
  });
  const texts = createSavedTexts(database, clock);
  const identityProvider = createSignIn(config);
  const demoIdentity = createDemoIdentity({ name: config.oidcProvider, publicUrl, clock });

  async function upkeep(): Promise<void> {
    await billing.sweep();
    await registrations.forget();
    await sessions.forget();
    await throttle.forget();
    await mailRequests.forget();
    await secondFactor.forget();
    await signIns.forget();
    await database.deleteFrom('mail_tokens').where('expires_at', '<=', clock.now().toISOString()).execute();
  }
  /** Keys are rotated while the server stands still, so its start is the time to follow them. */
  async function sealAnew(): Promise<void> {
    const { unreadable } = await secondFactor.reseal();
    if (unreadable > 0) {
      logger.error({ unreadable }, 'secrets of second factors cannot be opened: a key was retired or lost');
    }
  }
  const background = createBackground({ logger, failure: 'the upkeep failed' });

  return {
    accounts,
    accountsService,
    registrations,
    sessions,
    keyring,
    browser,
    journeys: createSignInJourneys({ throttle, keyring, clock, secure }),
    secondFactor,
    secondFactorSignIn: createSecondFactorSignIn({
      service: secondFactor,
      browser,
      accounts,
      throttle,
      keyring,
      clock,
      secure,
    }),
    billing,
    webhookCeiling: createWebhookCeiling(clock),
    waitlist,
    texts,
    mails,
    mailRequests,
    paypal,

    async present(userId) {
      const user = await accounts.find(userId);
      if (!user) return null;
      const isPremium = (await billing.premiumMonth(userId)) !== null;
      return { username: user.username, email: user.email, isPremium };
    },

    async factsOf(userId) {
      const user = await accounts.find(userId);
      if (!user) return {};
      return {
        username: user.username,
        email: user.email,
        pendingEmail: user.pending_email,
        emailVerifiedAt: user.email_verified_at,
        createdAt: user.created_at,
        signInProviders: await accounts.identities(userId),
        secondFactor: await secondFactor.status(userId),
        knownBrowsers: await signIns.list(userId),
        sessions: await sessions.list({ userId, sessionId: '' }),
        subscription: await billing.subscription(userId),
        payments: await billing.paymentsOf(userId),
        usage: await quota.historyOf(userId),
        savedTextsBytes: user.storage_bytes,
        waitlist: await waitlist.find(user.email),
      };
    },

    providerFor: (request) => paypal ?? (mayPayByDemo(config, request) ? demo : undefined),

    signInFor: (request) =>
      identityProvider
        ? { kind: 'provider', provider: identityProvider }
        : isOwnMachine(config, request)
          ? { kind: 'demo', provider: demoIdentity }
          : undefined,

    upkeep,

    start() {
      mails.start();
      mailRequests.start();
      void background.run(async () => {
        await billing.checkAllSoon();
        await sealAnew();
        await upkeep();
      });
      background.every(UPKEEP_MS, upkeep);
    },

    async stop() {
      // What is cut off here, waiting for a payment provider perhaps, is taken up after the next start.
      await background.stop();
      await mailRequests.stop();
      await mails.stop();
    },
  };
}

/** Every address that has to do with people. `addressOf`: the caller's network address, hashed. */
export async function registerMembership(
  app: FastifyInstance,
  membership: Membership,
  { config }: Pick<MembershipDependencies, 'config'>,
  addressOf: (request: FastifyRequest) => string,
): Promise<void> {
  const { browser, accounts, registrations, sessions, billing, paypal, providerFor, present } = membership;
  const canPay = (request: FastifyRequest) => providerFor(request) !== undefined;
  const service = membership.accountsService;
  const { admit } = membership.secondFactorSignIn;
  await app.register(accountRoutes, { service, browser, present, admit, addressOf, canPay });
  await app.register(secondFactorRoutes, {
    service: membership.secondFactor,
    signIn: membership.secondFactorSignIn,
    browser,
    present,
  });
  await app.register(settingsRoutes, {
    service,
    browser,
    sessions,
    addressOf,
    dataOf: async ({ userId }: SignedIn) => ({
      facts: await membership.factsOf(userId),
      texts: membership.texts.all(userId),
    }),
  });
  await app.register(thirdPartyRoutes, {
    signInFor: membership.signInFor,
    providerName: config.oidcProvider,
    accounts,
    registrations,
    paymentOf: (registrationId) => billing.paymentOf(registrationId),
    browser,
    admit,
    journeys: membership.journeys,
    canPay,
    publicUrl: config.publicUrl,
  });
  await app.register(billingRoutes, {
    service: billing,
    browser,
    addressOf,
    paypal,
    providerFor,
    ceiling: membership.webhookCeiling,
  });
  await app.register(savedTextsRoutes, {
    texts: membership.texts,
    browser,
    isPremium: async (userId) => (await billing.premiumMonth(userId)) !== null,
  });
  await app.register(waitlistRoutes, { service: membership.waitlist, addressOf });
}

function createPayPal(config: Config): PaymentProvider | undefined {
  const { paypalClientId, paypalClientSecret, paypalWebhookId, paypalPlanId, paypalBaseUrl } = config;
  if (!paypalClientId || !paypalClientSecret || !paypalWebhookId) return undefined;
  const client = createPayPalClient({
    baseUrl: paypalBaseUrl,
    clientId: paypalClientId,
    clientSecret: paypalClientSecret,
  });
  return createPayPalProvider({ client, webhookId: paypalWebhookId, planId: paypalPlanId });
}

function createSignIn(config: Config): IdentityProvider | undefined {
  const { oidcProvider, oidcIssuer, oidcClientId, oidcClientSecret, publicUrl } = config;
  if (!oidcClientId || !oidcClientSecret) return undefined;
  return createIdentityProvider({
    name: oidcProvider,
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    redirectUri: `${publicUrl}/api/auth/${oidcProvider}/callback`,
  });
}

/** The demo provider gives premium away: only to the machine's own user, unless it was asked for by name. */
function mayPayByDemo(config: Config, request: FastifyRequest): boolean {
  return config.payments === 'demo' || isOwnMachine(config, request);
}

/**
 * Whether nobody but this machine's own user can have sent this: everything that could mean a proxy or another machine
 * speaks against it, and so does a foreign name that was made to lead here.
 */
function isOwnMachine(config: Config, request: FastifyRequest): boolean {
  const forwarded = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'].some(
    (name) => name in request.headers,
  );
  return (
    !forwarded &&
    isLoopback(config.host) &&
    isLoopback(new URL(config.publicUrl).hostname) &&
    isLoopback(request.hostname) &&
    isLoopback(request.socket.remoteAddress ?? '')
  );
}

function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '');
  if (plain === 'localhost') return true;
  return ipaddr.isValid(plain) && ipaddr.process(plain).range() === 'loopback';
}
