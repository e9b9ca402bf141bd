import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageData, RenderPage, Site } from '#contract/page';
import { type PageAssets, pageDocument } from './document.ts';
import { isApiCall, methodNotAllowed, notFound } from './errors.ts';

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
  site: Omit<Site, 'now'>;
  now: () => Date;
  /** The answers for this request's visitor. */
  dataFor: (request: FastifyRequest) => PageData;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Every address that nothing else answers is a page; the renderer knows which exist and answers 404 for the rest. */
export async function registerPages(
  app: FastifyInstance,
  { web, site, now, dataFor }: PagesOptions,
): Promise<void> {
  await web.register(app);

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    config: { access: 'visitor' },
    async handler(request, reply) {
      refuseApiCall(app, request);
      const { url } = request;
      const [path = '/', query] = url.split('?', 2);
      // One address for one page. A path that begins with two slashes would lead to another site.
      if (path !== '/' && path.endsWith('/') && !path.startsWith('//')) {
        return reply.redirect(path.replace(/\/+$/, '') + (query === undefined ? '' : `?${query}`), 308);
      }

      const page = await web.render({
        url,
        site: { ...site, now: now().toISOString() },
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
    throw request.method === 'GET' || request.method === 'HEAD' ? notFound() : methodNotAllowed();
  });
}

function refuseApiCall(app: FastifyInstance, request: FastifyRequest): void {
  if (!isApiCall(request.url)) return;
  const url = request.url.split('?', 1)[0] ?? '';
  throw METHODS.some((method) => app.hasRoute({ method, url })) ? methodNotAllowed() : notFound();
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Nothing in a page is both secret and repeated by request, so its length tells nobody anything. */
async function compress(html: string, accepted = ''): Promise<{ body: string | Buffer; encoding?: string }> {
  if (/\bbr\b/.test(accepted)) {
    const body = await brotli(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    return { body, encoding: 'br' };
  }
  if (/\bgzip\b/.test(accepted)) return { body: await gzipped(html), encoding: 'gzip' };
  return { body: html };
}
