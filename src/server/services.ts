import { randomUUID } from 'node:crypto';
import { type Extraction, extractionSchema } from '#contract/extraction';
import type { Engine } from '#ocr';
import { createMailTemplateContext } from './accounts/accounts.mails.ts';
import { AccountsService, createResetMailer } from './accounts/accounts.service.ts';
import { createBrowser, createPublicUserLookup } from './accounts/browser.ts';
import { createMailRequests } from './accounts/mail-requests.ts';
import { forgetMailTokens } from './accounts/mail-tokens.ts';
import { createPasswordCheck, createPasswordConfirmation, type PasswordHasher } from './accounts/password.ts';
import { createPersonalData, type PersonalDataSource } from './accounts/personal-data.ts';
import { SecondFactorService } from './accounts/second-factor/second-factor.service.ts';
import { createSecondFactorSignIn } from './accounts/second-factor/sign-in.ts';
import { createSessions } from './accounts/sessions.ts';
import { createSignIns } from './accounts/sign-ins.ts';
import { createThrottle } from './accounts/throttle.ts';
import { createAccounts } from './accounts/users.repository.ts';
import { createApiKeys } from './api-keys/api-keys.service.ts';
import { registrationPayments } from './billing/billing.repository.ts';
import { createBilling } from './billing/billing.service.ts';
import { createPayers } from './billing/payer.ts';
import { createProviders } from './billing/providers.ts';
import { createRedisWebhookLimiter } from './billing/redis-webhook-limiter.ts';
import { createWebhookLimiter } from './billing/webhook-limiter.ts';
import type { Config } from './config.ts';
import { createFairQueue } from './jobs/fair-queue.ts';
import { createJobContents } from './jobs/job-contents.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { JobsRepository } from './jobs/jobs.repository.ts';
import { createJobsMaintenance, JobsService } from './jobs/jobs.service.ts';
import { createRedisJobContents } from './jobs/redis-job-contents.ts';
import { createRestartTexts } from './jobs/restart-texts.ts';
import { createResultWriter } from './jobs/result-writer.ts';
import { createUnchargedJobs } from './jobs/uncharged-jobs.ts';
import { createMaintenance } from './maintenance.ts';
import type { Clock } from './platform/clock.ts';
import { createKeyring } from './platform/keyring.ts';
import type { Logger } from './platform/logger.ts';
import { createMailQueue } from './platform/mail-queue.ts';
import type { Mailer } from './platform/mailer.ts';
import { type Metrics, NO_METRICS } from './platform/metrics.ts';
import type { Secrets } from './platform/secrets.ts';
import { NO_TRACING, type Tracing } from './platform/tracing.ts';
import { instrumentEngine } from './recognition/engine/instrumented-engine.ts';
import { createIdempotencyCache } from './recognition/idempotency-cache.ts';
import { createQuota } from './recognition/quota/quota.repository.ts';
import { createRecognitionService, type RecognitionService } from './recognition/recognition.service.ts';
import { jobPagesOf, limitsOf, queueOf, timesOf } from './recognition/recognition.settings.ts';
import type { SharedRecognition } from './recognition/redis/shared-recognition.ts';
import { createCallbackOutcomes } from './registration/callback-outcomes.ts';
import { createThirdPartySignIn } from './registration/identity-providers.ts';
import { Registrations } from './registration/registration.repository.ts';
import { createRegistrationService } from './registration/registration.service.ts';
import { createRegistrationCookie } from './registration/registration-cookie.ts';
import { createSignInStates, SIGN_IN_MS } from './registration/sign-in-state.ts';
import { SavedTexts } from './saved-texts/saved-texts.repository.ts';
import type { Database } from './schema.ts';
import { createWaitlistJoin, createWaitlistService } from './waitlist/waitlist.service.ts';
import { WebhookDeliveries } from './webhooks/deliveries.ts';
import { createWebhookCaller } from './webhooks/webhook-caller.ts';
import { createWebhookSecrets } from './webhooks/webhook-secrets.ts';

export interface ServiceDependencies {
  config: Config;
  secrets: Secrets;
  database: Database;
  clock: Clock;
  logger: Logger;
  mailer: Mailer;
  passwordHasher: PasswordHasher;
  /** State shared with other processes; undefined in a single process. */
  shared?: Pick<SharedRecognition, 'link'> | undefined;
  /** Metrics and tracing; off if left out. */
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
  /** Longest random delay of mail requests, in milliseconds; a few seconds by default. */
  mailRequestsMaxDelayMs?: number | undefined;
}

export type Services = ReturnType<typeof buildServices>;

/**
 * Composition root of the services. Builds each service once, after its dependencies, and passes functions of a slice to other
 * slices. The function is long, because it is one list in the order of these dependencies.
 */
export function buildServices(dependencies: ServiceDependencies) {
  const { config, secrets, database, shared, clock, logger, metrics, passwordHasher: hasher } = dependencies;
  const { publicUrl, supportEmail } = config;
  const secure = publicUrl.startsWith('https:');
  const keyring = createKeyring(secrets);
  const mails = createMailQueue(dependencies);
  const mailContext = createMailTemplateContext({ publicUrl, supportEmail, clock });
  const throttle = createThrottle(database, clock, secrets.addressKey);
  const checkPassword = createPasswordCheck(hasher, throttle);
  const base = { database, clock, logger, metrics, keyring, mails, mailContext, throttle, publicUrl, secure };

  // Accounts and sign-in.
  const accounts = createAccounts(base);
  const confirmPassword = createPasswordConfirmation(accounts, checkPassword);
  const sessions = createSessions(database, clock);
  const signIns = createSignIns({ ...base, sessions });
  const signInStates = createSignInStates(base);
  const callbackOutcomes = createCallbackOutcomes({ ...base, lifetimeMs: SIGN_IN_MS });
  const browser = createBrowser({ sessions, signIns, secure, onSignOut: signInStates.clear });
  const mailRequests = createMailRequests({
    ...base,
    handlers: { reset: createResetMailer(base), waitlist: createWaitlistJoin(base) },
    maxDelayMs: dependencies.mailRequestsMaxDelayMs,
  });

  // Registration and billing.
  const registrations = new Registrations({ ...base, payments: registrationPayments });
  const registrationCookie = createRegistrationCookie({ registrations, keyring, secure });
  const providers = createProviders(config, clock);
  const billing = createBilling({
    ...base,
    metrics: metrics ?? NO_METRICS,
    providers,
    registrations,
    hasher,
  });
  const { isPremium } = billing.subscriptions;
  const registration = createRegistrationService({
    accounts,
    registrations,
    throttle,
    hasher,
    checkPassword,
    paymentOf: billing.checkout.paymentOf,
  });

  // Users' stored data.
  const quota = createQuota(database);
  const texts = new SavedTexts(database, clock);
  const waitlist = createWaitlistService({ ...base, mailRequests });
  const apiKeys = createApiKeys({ ...base, isPremium, confirmPassword });
  const webhookSecrets = createWebhookSecrets({ ...base, isPremium, confirmPassword });
  const webhooks = new WebhookDeliveries({
    ...base,
    secrets: webhookSecrets,
    callReceiver: createWebhookCaller({ targets: config.webhookTargets }),
  });
  const memory = { memoryBytes: config.jobMemoryMb * 2 ** 20 };
  const jobs = {
    repository: new JobsRepository(database, clock, randomUUID()),
    contents: shared
      ? createRedisJobContents(shared.link, { keyring, ...memory })
      : createJobContents(clock, memory, createRestartTexts(database, keyring, clock)),
  };
  const jobsMaintenance = createJobsMaintenance({ ...jobs, webhooks });

  // Account settings, export and deletion over all slices.
  const personalDataSources: PersonalDataSource[] = [
    billing.personalData,
    quota.personalData,
    waitlist.personalData,
    apiKeys.personalData,
    webhookSecrets.personalData,
    jobsMaintenance.personalData,
    { delete: (transaction, user) => registrations.deleteOf(transaction, user) },
  ];
  const accountsService = new AccountsService({
    ...base,
    accounts,
    hasher,
    checkPassword,
    confirmPassword,
    mailRequests,
    personalDataSources,
  });
  const secondFactor = new SecondFactorService({ ...base, confirmPassword });
  /** Re-encrypt what older keys encrypted for good: at every start, and before these keys are deleted. */
  const resealSecrets = [() => secondFactor.resealAll(), () => webhookSecrets.resealAll()];
  return {
    keyring,
    resealSecrets,
    mails,
    mailRequests,
    accounts,
    accountsService,
    sessions,
    browser,
    findPublicUser: createPublicUserLookup(accounts, isPremium),
    personalData: createPersonalData({ accounts, secondFactor, sessions, signIns, personalDataSources }),
    secondFactor,
    secondFactorSignIn: createSecondFactorSignIn({ ...base, service: secondFactor, browser, accounts }),
    registrations,
    registrationCookie,
    registration,
    signInStates,
    callbackOutcomes,
    thirdPartySignIn: createThirdPartySignIn(config, clock),
    providers,
    billing,
    payers: createPayers(browser, registrationCookie),
    webhookLimiter: shared
      ? createRedisWebhookLimiter(createWebhookLimiter(clock), shared.link, logger)
      : createWebhookLimiter(clock),
    quota,
    texts,
    apiKeys,
    webhookSecrets,
    webhooks,
    jobs,
    unchargedJobs: createUnchargedJobs(throttle),
    waitlist,
    maintenance: createMaintenance({
      mails,
      mailRequests,
      logger,
      onStart: [billing.maintenance.makeAllDue, ...resealSecrets],
      everyMinute: [
        billing.maintenance.sweep,
        () => registrations.deleteExpired(),
        callbackOutcomes.deleteExpired,
        sessions.deleteExpired,
        throttle.deleteExpired,
        mailRequests.deleteExpired,
        () => secondFactor.deleteExpired(),
        signIns.deleteExpired,
        () => forgetMailTokens(database, clock.now()),
        () => quota.forget(clock.now()),
        jobsMaintenance.deleteExpired,
      ],
    }),
  };
}

type RecognitionDependencies = Pick<
  ServiceDependencies,
  'config' | 'secrets' | 'clock' | 'logger' | 'metrics' | 'tracing'
> & {
  engine: Engine;
  /** State shared with other processes; undefined in a single process. */
  shared?: SharedRecognition | undefined;
};

/** The recognition service. Separate from `buildServices`, because the operator's tool needs no engine. */
export function buildRecognition(
  { quota, keyring }: Pick<Services, 'quota' | 'keyring'>,
  {
    config,
    secrets,
    engine,
    shared,
    clock,
    logger,
    metrics = NO_METRICS,
    tracing = NO_TRACING,
  }: RecognitionDependencies,
) {
  const idempotencyCache = createIdempotencyCache<Extraction>(clock);
  return createRecognitionService({
    engine: instrumentEngine(engine, { metrics, tracing, logger, countsWaiting: true }),
    quota,
    idempotencyCache: shared
      ? shared.idempotencyCacheOfAll(idempotencyCache, extractionSchema, keyring)
      : idempotencyCache,
    clock,
    logger,
    metrics,
    tracing,
    limits: limitsOf(config),
    queue: queueOf(config),
    pictureKey: secrets.addressKey,
    ...timesOf(config),
  });
}

export function buildJobs(
  {
    jobs,
    webhooks,
    webhookSecrets,
    unchargedJobs,
    billing,
  }: Pick<Services, 'jobs' | 'webhooks' | 'webhookSecrets' | 'unchargedJobs' | 'billing'>,
  recognition: RecognitionService,
  {
    config,
    secrets,
    clock,
    logger,
    metrics = NO_METRICS,
  }: Pick<ServiceDependencies, 'config' | 'secrets' | 'clock' | 'logger' | 'metrics'>,
) {
  const common = { ...jobs, webhooks, unchargedJobs, recognition, logger, metrics };
  const runner = new JobRunner({
    ...common,
    queue: createFairQueue({ concurrency: jobPagesOf(config) }),
    premiumMonth: billing.subscriptions.premiumMonth,
    publicUrl: config.publicUrl,
    clock,
  });
  const writer = createResultWriter();
  const service = new JobsService({
    ...common,
    runner,
    writer,
    clock,
    secrets: webhookSecrets,
    targets: config.webhookTargets,
    pictureKey: secrets.addressKey,
  });
  return { runner, service, writer };
}
