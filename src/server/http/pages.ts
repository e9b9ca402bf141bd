import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PaymentContext } from '#contract/billing';
import type { Usage } from '#contract/extraction';
import type { CommonData, PageRequest, RenderPage, Site, VisitorData } from '#contract/page';
import { methodsAt } from './access.ts';
import { type PageAssets, pageDocument } from './document.ts';
import { type Encoding, encode, encodingFor } from './encoding.ts';
import { type AppError, methodNotAllowed, notFound } from './errors.ts';
import { type InlinePolicy, ISOLATION } from './headers.ts';
import { createPageCache } from './page-cache.ts';
import type { RateLimiter } from './rate-limit.ts';
import { isApiTarget, pathOf } from './target.ts';

/** The web side for the server: a renderer and the files of the browser. */
export interface PageRenderer {
  render: RenderPage;
  /** Files that a page preloads for these source files, besides the entry. */
  assets(modules: readonly string[]): PageAssets | Promise<PageAssets>;
  /** Inline scripts and styles of the documents, for the content policy. */
  inline: InlinePolicy;
  register(app: FastifyInstance): Promise<void>;
  /** Development only: transforms the whole document. Such pages are not cached. */
  transform?(url: string, html: string): Promise<string>;
}

/** Data of pages for a visitor without a session or a registration. */
export interface AnonymousVisitor {
  usage: Usage;
  payment: PaymentContext;
}

export interface PagesOptions {
  web: PageRenderer;
  /** Rate limit of rendering. */
  limiter: RateLimiter;
  siteFor: (request: FastifyRequest) => Omit<Site, 'now'>;
  now: () => Date;
  commonData: CommonData;
  /** Undefined for visitors with a session or a registration. */
  anonymousVisitorAt: (request: FastifyRequest) => Promise<AnonymousVisitor | undefined>;
  visitorData: (request: FastifyRequest) => VisitorData;
}

const METHODS = ['GET', 'HEAD'] as const;

/**
 * Every path without another route is a page; the renderer answers 404 for unknown ones.
 *
 * The page of an anonymous visitor depends only on its path and on plain data, so it is shared by all visitors with the
 * same data. All other pages are rendered per request.
 */
export async function registerPages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const { web, limiter, siteFor, now, commonData, anonymousVisitorAt, visitorData } = options;
  await web.register(app);
  const cache = web.transform ? undefined : createPageCache<ReadyPage>();

  async function pageAt(
    request: FastifyRequest,
    { path, site, anonymous }: { path: string; site: Site; anonymous: AnonymousVisitor | undefined },
  ) {
    const { url } = request;
    if (!anonymous || !cache) {
      return makePage(web, { url, site, data: { ...commonData, ...visitorData(request) } });
    }
    const key = JSON.stringify([path, site, anonymous]);
    return cache.get(site.now, key, () =>
      makePage(web, { url, site, data: { ...commonData, ...dataOf(anonymous) } }),
    );
  }

  app.route({
    method: [...METHODS],
    url: '/*',
    config: { access: 'visitor', kind: 'page' },
    async handler(request, reply) {
      await limiter.check(request);
      if (isApiTarget(request.url)) throw refusalOf(methodsOf(app, request.url), request);
      const { url } = request;
      const path = pathOf(url);
      // Redirects to the canonical path. Paths with double slashes, which would lead to another site, do not reach this point.
      if (path !== '/' && path.endsWith('/')) {
        return reply.redirect(path.slice(0, -1) + url.slice(path.length), 308);
      }

      // Data that could not be queried is left to the browser, which retries and shows the error.
      const anonymous = await anonymousVisitorAt(request).catch(() => undefined);
      const site = { ...siteFor(request), now: minuteOf(now()) };
      const page = await pageAt(request, { path, site, anonymous });
      if (page.location !== undefined) return reply.redirect(page.location, page.status);

      const encoding = encodingFor(request.headers['accept-encoding']);
      if (encoding) reply.header('content-encoding', encoding);
      if (site.readsOnDevice) reply.headers(ISOLATION);
      return reply
        .code(page.status)
        .type('text/html; charset=utf-8')
        .header('cache-control', page.isPrivate ? 'no-store' : 'private, no-cache')
        .header('vary', 'Accept-Encoding, Cookie')
        .send(await page.in(encoding));
    },
  });

  // Before the body, because the framework rejects some methods by their body first.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    const methods = methodsOf(app, request.url);
    if (request.method !== 'OPTIONS' || methods.length === 0) throw refusalOf(methods, request);
    // CORS headers were already added by `cors.ts`.
    return reply.code(204).header('allow', allowed(methods).join(', ')).send();
  });
  // A missing file.
  app.setNotFoundHandler(() => {
    throw notFound();
  });
}

/** Methods of a path; every path outside the API is a page. */
const methodsOf = (app: FastifyInstance, url: string): readonly string[] =>
  isApiTarget(url) ? methodsAt(app.registeredRoutes, pathOf(url)) : METHODS;

const allowed = (methods: readonly string[]): string[] => [...methods, 'OPTIONS'].sort();

/** Response of a path with these methods, or of an unknown path. */
const refusalOf = (methods: readonly string[], { method }: FastifyRequest): AppError =>
  methods.length === 0 || methods.includes(method) ? notFound() : methodNotAllowed(allowed(methods));

interface ReadyPage {
  status: number;
  location: string | undefined;
  isCanonical: boolean;
  isPrivate: boolean;
  bytes: Buffer;
  /** Safe to compress: documents contain no secret next to text from the request (BREACH). */
  in(encoding: Encoding | undefined): Buffer | Promise<Buffer>;
}

async function makePage(web: PageRenderer, request: PageRequest): Promise<ReadyPage> {
  const page = await web.render(request);
  const { status, location, isCanonical, isPrivate = false, modules = [] } = page;
  const html = location === undefined ? pageDocument(page, await web.assets(modules)) : '';
  const bytes = Buffer.from(web.transform ? await web.transform(request.url, html) : html);
  const encoded = new Map<Encoding, Promise<Buffer>>();
  return {
    status,
    location,
    isCanonical,
    isPrivate,
    bytes,
    in(encoding) {
      if (!encoding) return bytes;
      const known = encoded.get(encoding) ?? encode(bytes, encoding);
      encoded.set(encoding, known);
      return known;
    },
  };
}

const dataOf = ({ usage, payment }: AnonymousVisitor): VisitorData => ({
  user: async () => null,
  usage: async () => usage,
  payment: async () => payment,
  subscription: async () => null,
  account: async () => null,
  savedTexts: async () => null,
  savedText: async () => null,
  sessions: async () => null,
  secondFactor: async () => null,
  apiKeys: async () => null,
  webhookSecret: async () => null,
});

const minuteOf = (moment: Date): string => `${moment.toISOString().slice(0, 16)}:00.000Z`;
