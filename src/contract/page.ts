import type { Account, SessionsResponse, User } from './account.ts';
import type { ApiKeysResponse } from './api-key.ts';
import type { PaymentContext, SubscriptionState } from './billing.ts';
import type { Article, ArticleSummary } from './blog.ts';
import type { WebhookSecretState } from './job.ts';
import type { ReadLanguage } from './languages.ts';
import type { OpenApi } from './openapi.ts';
import type { SavedTextsResponse, WholeText } from './saved-text.ts';
import type { SecondFactorResponse } from './second-factor.ts';
import type { Usage } from './usage.ts';

/**
 * How server and page meet when a page is rendered. The server implements `PageData` over its services,
 * the page's server entry implements `RenderPage`; neither imports the other.
 */

/**
 * What every page knows about the site. It depends on the visitor only on the owner's own machine, where the demos may
 * be tried.
 */
export interface Site {
  /** Origin without a trailing slash, such as `https://glyphlift.example`. */
  publicUrl: string;
  supportEmail: string;
  /** As announced; `coming-soon` as well while nothing can be paid. */
  premiumAvailability: 'coming-soon' | 'available';
  /** Name of the third-party sign-in provider in its address, such as `google`. */
  signInProvider: string;
  /** The sign-in behind its button: the provider, a demo that is marked as such, or none: then there is no button. */
  thirdPartySignIn: 'provider' | 'demo' | null;
  /** A worker keeps the tool in the browser; where it does not, what one kept before is removed. */
  worksOffline: boolean;
  /** Visitors may have pictures read by their own browser. */
  readsOnDevice: boolean;
  freeDailyLimit: number;
  premiumMonthlyLimit: number;
  /** ISO 8601 in UTC, when the minute of the request began: every date a page shows is rendered by the server. */
  now: string;
}

/** Answers of which everybody has their own, with exactly the bodies that the API calls of the same name would give. */
export interface VisitorData {
  user(): Promise<User | null>;
  usage(): Promise<Usage>;
  payment(): Promise<PaymentContext>;
  /** Null for a visitor who never had one, or is signed out. */
  subscription(): Promise<SubscriptionState | null>;
  /** Null for a visitor who is signed out. */
  account(): Promise<Account | null>;
  /** The newest saved texts; like all that follow, null for a visitor who is signed out. */
  savedTexts(): Promise<SavedTextsResponse | null>;
  /** Null as well for a text that is not theirs. */
  savedText(id: string): Promise<WholeText | null>;
  sessions(): Promise<SessionsResponse | null>;
  secondFactor(): Promise<SecondFactorResponse | null>;
  apiKeys(): Promise<ApiKeysResponse | null>;
  webhookSecret(): Promise<WebhookSecretState | null>;
}

/** Answers that are the same for everybody, likewise. */
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
  /** Set on a redirect; nothing else counts then. */
  location?: string;
  /** Source files, from the package's root, whose built chunks this page needs at once beside the entry's. */
  modules?: readonly string[];
  /**
   * At the one address of the page. It then shows only what is in the path, in `site` or in the answers of `data`,
   * whatever the query: visitors with equal answers can be given the same page.
   */
  isCanonical: boolean;
  /** It holds a user's own data, and no cache may store it. */
  isPrivate?: boolean;
  /** Markup for the document's head: title, meta, link and JSON-LD elements. */
  head: string;
  /** Markup inside the application's root element. */
  body: string;
  /** The state for hydration without a call: JSON, already safe inside a script element. */
  state: string;
}

export type RenderPage = (request: PageRequest) => Promise<PageResponse>;

/** The demo identity's name beside those of real providers; a setting cannot have an underscore. */
export const DEMO_IDENTITY = 'demo_identity';

/** The only Trusted Types policy: scripts may create worker addresses by it. */
export const SCRIPT_POLICY = 'own-scripts';

/**
 * Ids of the elements by which the page takes over in the browser: the markup's, and those of two JSON scripts, with the
 * state and with the addresses of the scripts, the entry first.
 */
export const PAGE_ELEMENTS = { root: 'root', state: 'state', scripts: 'scripts' } as const;
