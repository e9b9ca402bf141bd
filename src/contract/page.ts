import type { Account, SessionsResponse, User } from './account.ts';
import type { ApiKeysResponse } from './api-key.ts';
import type { PaymentContext, SubscriptionState } from './billing.ts';
import type { Article, ArticleSummary } from './calls/content.ts';
import type { Usage } from './extraction.ts';
import type { WebhookSecretState } from './job.ts';
import type { ReadLanguage } from './languages.ts';
import type { OpenApi } from './openapi.ts';
import type { SavedTextsResponse, WholeText } from './saved-text.ts';
import type { SecondFactorResponse } from './second-factor.ts';

/**
 * Interface between server and web client for server-side rendering. The server implements `PageData`, the web client's
 * server entry implements `RenderPage`; neither imports the other.
 */

/**
 * Data about the site on every page. It depends on the visitor only on localhost, where the demos are available.
 */
export interface Site {
  /** Origin without a trailing slash, such as `https://glyphlift.example`. */
  publicUrl: string;
  supportEmail: string;
  /** Availability of premium; also `coming-soon` without a payment provider. */
  premiumAvailability: 'coming-soon' | 'available';
  /** Path name of the third-party sign-in provider, such as `google`. */
  signInProvider: string;
  /** The third-party sign-in: the provider, a marked demo, or none, without a button. */
  thirdPartySignIn: 'provider' | 'demo' | null;
  /** Whether a service worker stores the tool; if not, stored copies are removed. */
  worksOffline: boolean;
  /** Whether on-device recognition is enabled. */
  readsOnDevice: boolean;
  freeDailyLimit: number;
  premiumMonthlyLimit: number;
  /** Start of the minute of the request, ISO 8601 in UTC. The server renders all dates. */
  now: string;
}

/** Per-user data, in the shape of the API responses of the same name. */
export interface VisitorData {
  user(): Promise<User | null>;
  usage(): Promise<Usage>;
  payment(): Promise<PaymentContext>;
  /** Null without a subscription or a signed-in user. */
  subscription(): Promise<SubscriptionState | null>;
  /** Null without a signed-in user. */
  account(): Promise<Account | null>;
  /** The newest saved texts; null without a signed-in user, as are all fields below. */
  savedTexts(): Promise<SavedTextsResponse | null>;
  /** Null also for a text of another user. */
  savedText(id: string): Promise<WholeText | null>;
  sessions(): Promise<SessionsResponse | null>;
  secondFactor(): Promise<SecondFactorResponse | null>;
  apiKeys(): Promise<ApiKeysResponse | null>;
  webhookSecret(): Promise<WebhookSecretState | null>;
}

/** Public data, in the shape of the API responses of the same name. */
export interface CommonData {
  articles(): Promise<ArticleSummary[]>;
  /** Null when there is no such article. */
  article(slug: string): Promise<Article | null>;
  description(): Promise<OpenApi>;
  /** The languages of this server, by name. */
  languages(): Promise<ReadLanguage[]>;
}

export type PageData = VisitorData & CommonData;

export interface PageRequest {
  url: string;
  site: Site;
  data: PageData;
}

export interface PageResponse {
  status: number;
  /** Target of a redirect; the other fields are ignored then. */
  location?: string;
  /** Source files, relative to the package, whose chunks the page preloads besides the entry. */
  modules?: readonly string[];
  /**
   * Whether the path is canonical. The page then depends only on the path, on `site` and on `data`, not on the query, so it can
   * be cached for visitors with equal data.
   */
  isCanonical: boolean;
  /** Whether it contains a user's own data and must not be cached. */
  isPrivate?: boolean;
  /** Markup for the document's head: title, meta, link and JSON-LD elements. */
  head: string;
  /** Markup inside the application's root element. */
  body: string;
  /** State for hydration: JSON, escaped for a script element. */
  state: string;
}

export type RenderPage = (request: PageRequest) => Promise<PageResponse>;

/** Name of the demo identity provider. Configured names cannot contain underscores, so there is no collision. */
export const DEMO_IDENTITY = 'demo_identity';

/** The only Trusted Types policy, for URLs of workers. */
export const SCRIPT_POLICY = 'own-scripts';

/**
 * Ids of the elements used for hydration: the root, and two JSON scripts with the state and with the script URLs, the entry
 * first.
 */
export const PAGE_ELEMENTS = { root: 'root', state: 'state', scripts: 'scripts' } as const;
