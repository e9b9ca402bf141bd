import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { listArticles, readArticle } from '#contract/calls/content';
import { FILES } from '#contract/paths';
import { createError } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { ARTICLE_PICTURES, type ArticleLibrary } from './articles.ts';
import { atomFeed, robots, sitemap } from './feeds.ts';
import { securityPolicy, securityText } from './security.ts';

interface ContentRoutesOptions {
  articles: ArticleLibrary;
  publicUrl: string;
  supportEmail: string;
  now: () => Date;
}

/** Articles change when the server restarts; a browser or a feed reader may cache them for a while. Seconds. */
const CACHE_SECONDS = 3600;

const articleNotFound = () => createError('content.article_not_found', 'Article not found');

export async function contentRoutes(app: FastifyInstance, options: ContentRoutesOptions): Promise<void> {
  const { articles, publicUrl, now } = options;
  const file = { access: 'anyone', kind: 'file' } as const;

  route(app, listArticles, () => ({ articles: articles.list() }));

  route(app, readArticle, ({ params }) => {
    const article = articles.find(params.slug);
    if (!article) throw articleNotFound();
    return article;
  });

  const feed = atomFeed(articles.list(), publicUrl);
  const map = sitemap(articles.list(), publicUrl);
  for (const [path, type, body] of [
    [FILES.feed, 'application/atom+xml', () => feed],
    [FILES.sitemap, 'application/xml', () => map],
    [FILES.robots, 'text/plain', () => robots(publicUrl)],
    [FILES.security, 'text/plain', () => securityText(options, now())],
    [FILES.securityPolicy, 'text/plain', () => securityPolicy(options)],
  ] as const) {
    app.get(path, { config: file }, (_request, reply) =>
      reply
        .type(`${type}; charset=utf-8`)
        .header('cache-control', `public, max-age=${CACHE_SECONDS}`)
        .send(body()),
    );
  }

  await app.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...file };
    });
    await files.register(fastifyStatic, {
      root: articles.pictures,
      prefix: ARTICLE_PICTURES,
      maxAge: '1d',
      index: false,
      decorateReply: false,
    });
  });
}
