import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageData, RenderPage, Site } from '#contract/page';
import { methodsAt } from './access.ts';
import { type PageAssets, pageDocument } from './document.ts';
import { methodNotAllowed, notFound } from './errors.ts';
import type { RateLimiter } from './rate-limit.ts';
import { meansApi, pathOf } from './target.ts';

/** The web side as the server meets it: a renderer and the files that the browser loads. */
export interface Web {
  render: RenderPage;
  /** What a page loads that needs these source files at once, beside the entry. */
  assets(modules: readonly string[]): PageAssets;
  /** Serves the files, in whatever way they come to be. */
  register(app: FastifyInstance): Promise<void>;
  /** A last change to the whole document, its nonce still to be filled in where the change needs one. */
  transform?(url: string, html: string, nonce: string): Promise<string>;
}

export interface PagesOptions {
  web: Web;
  /** Rendering is work: nobody may have it done as often as they like. */
  limiter: RateLimiter;
  /** What the page may offer in answer to this request. */
  siteFor: (request: FastifyRequest) => Omit<Site, 'now'>;
  now: () => Date;
  /** The answers for this request's visitor. */
  dataFor: (request: FastifyRequest) => PageData;
}

const METHODS = ['GET', 'HEAD'] as const;

/** Every address that nothing else answers is a page; the renderer knows which exist and answers 404 for the rest. */
export async function registerPages(
  app: FastifyInstance,
  { web, limiter, siteFor, now, dataFor }: PagesOptions,
): Promise<void> {
  await web.register(app);

  app.route({
    method: [...METHODS],
    url: '/*',
    config: { access: 'visitor', kind: 'page' },
    async handler(request, reply) {
      await limiter.check(request);
      refuseApiCall(app, request);
      const { url } = request;
      const path = pathOf(url);
      // One address for one page. No path comes here with two slashes in a row, which would lead to another site.
      if (path !== '/' && path.endsWith('/')) {
        return reply.redirect(path.slice(0, -1) + url.slice(path.length), 308);
      }

      const page = await web.render({
        url,
        site: { ...siteFor(request), now: now().toISOString() },
        data: dataFor(request),
      });
      if (page.location !== undefined) return reply.redirect(page.location, page.status);

      const { nonce } = reply;
      const html = pageDocument(page, web.assets(page.modules ?? []), nonce);
      const document = web.transform ? await web.transform(url, html, nonce) : html;
      const { body, encoding } = await compress(document, request.headers['accept-encoding']);
      if (encoding) reply.header('content-encoding', encoding);
      return reply
        .code(page.status)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'private, no-cache')
        .header('vary', 'Accept-Encoding, Cookie')
        .send(body);
    },
  });

  app.setNotFoundHandler((request) => {
    refuseApiCall(app, request);
    // A file that is not there ends up here too.
    throw METHODS.some((method) => method === request.method) ? notFound() : methodNotAllowed(METHODS);
  });
}

function refuseApiCall(app: FastifyInstance, request: FastifyRequest): void {
  if (!meansApi(request.url)) return;
  const methods = methodsAt(app.registeredRoutes, pathOf(request.url));
  const isOtherMethod = methods.length > 0 && !methods.includes(request.method);
  throw isOtherMethod ? methodNotAllowed(methods) : notFound();
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Nothing in a page is both secret and repeated by request, so its length tells nobody anything. */
async function compress(html: string, accepted = ''): Promise<{ body: string | Buffer; encoding?: string }> {
  const encoding = preferredEncoding(accepted, ['br', 'gzip']);
  if (encoding === 'br') {
    return { body: await brotli(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }), encoding };
  }
  if (encoding === 'gzip') return { body: await gzipped(html), encoding };
  return { body: html };
}

/**
 * The one of `offered`, best first, that weighs most in an `Accept-Encoding` (RFC 9110, 12.5.3); undefined when the
 * client would rather have none of them.
 */
function preferredEncoding<T extends string>(accepted: string, offered: readonly T[]): T | undefined {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((entry) => {
        const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
        const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
        return [name, weight === undefined ? 1 : Number(weight) || 0] as const;
      }),
  );
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  const [best] = offered
    .filter((name) => weightOf(name) > 0 && weightOf(name) >= plain)
    .sort((one, other) => weightOf(other) - weightOf(one));
  return best;
}
