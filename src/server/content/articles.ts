import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { z } from 'zod';
import type { Article, ArticleSummary } from '#contract/calls/content';
import { ContentError, parseFrontMatter } from './front-matter.ts';

/** Images of articles in `content/blog/images` are served below this path. */
export const ARTICLE_PICTURES = '/blog/images/';

/** Reading speed of an adult on a screen. Words per minute. */
const READING_SPEED = 220;

const frontMatterSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/, 'use lower-case letters, digits and hyphens'),
  title: z.string().min(1).max(70),
  description: z.string().min(50).max(165),
  excerpt: z.string().min(1),
  author: z.string().min(1),
  publishedDate: z.iso.date(),
  tags: z
    .array(z.string().regex(/^[a-z -]+$/, 'use lower-case words'))
    .min(1)
    .max(6),
  image: z.string().startsWith(ARTICLE_PICTURES).optional(),
  imageAlt: z.string().min(1).optional(),
});

/** All articles, read once at the start of the server. */
export interface ArticleLibrary {
  list(): ArticleSummary[];
  find(slug: string): Article | null;
  /** Folder served below `ARTICLE_PICTURES`. */
  pictures: string;
}

/**
 * Reads all `*.md` files of a folder. Each file is an article; its name is the slug.
 * @param folder `content/blog`
 * @throws {ContentError} at the first mistake, with file and line
 */
export async function loadArticles(folder: string): Promise<ArticleLibrary> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
  const loaded = await Promise.all(files.map((name) => loadArticle(folder, name)));
  rejectDuplicateIds(loaded);
  const articles = loaded.map(({ article }) => article);
  articles.sort((a, b) => b.publishedDate.localeCompare(a.publishedDate) || a.slug.localeCompare(b.slug));
  const bySlug = new Map(articles.map((article) => [article.slug, article]));
  const summaries = articles.map(({ content, pictures, ...summary }) => summary);
  return {
    list: () => summaries,
    find: (slug) => bySlug.get(slug) ?? null,
    pictures: resolve(folder, 'images'),
  };
}

/** `idLine`: the line of the id in `file`. */
interface LoadedArticle {
  article: Article;
  file: string;
  idLine: number;
}

async function loadArticle(folder: string, name: string): Promise<LoadedArticle> {
  const file = join(folder, name);
  const source = await readFile(file, 'utf8');
  const { data, body, bodyLine, lineOf } = parseFrontMatter(source, file, frontMatterSchema);
  const { image, imageAlt, ...fields } = data;
  if (image && !imageAlt) throw new ContentError(file, 1, 'imageAlt: a picture needs alternative text');
  const article = {
    ...fields,
    slug: name.slice(0, -'.md'.length),
    readingTime: `${readingMinutes(body)} min`,
    content: body.trim(),
    pictures: await measurePictures(folder, file, body, bodyLine),
  };
  return { article, file, idLine: lineOf(['id']) };
}

/** Whole minutes, at least one. Code and addresses do not count, because readers skim them. */
export function readingMinutes(markdown: string): number {
  const prose = markdown.replace(/```[\s\S]*?```/g, ' ').replace(/\]\([^()]*\)/g, ' ');
  const words = prose.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0;
  return Math.max(1, Math.round(words / READING_SPEED));
}

async function measurePictures(
  folder: string,
  file: string,
  body: string,
  bodyLine: number,
): Promise<Article['pictures']> {
  const pictures: Article['pictures'] = [];
  for (const match of body.matchAll(/!\[([^[\]]*)\]\(([^\s()]+)\)/g)) {
    const [, alt, src = ''] = match;
    const line = bodyLine + body.slice(0, match.index).split('\n').length - 1;
    if (!alt) throw new ContentError(file, line, `the picture ${src} needs alternative text`);
    if (!src.startsWith(ARTICLE_PICTURES))
      throw new ContentError(file, line, `the picture ${src} must lie below ${ARTICLE_PICTURES}`);
    const path = join(folder, 'images', src.slice(ARTICLE_PICTURES.length));
    const { width, height } = await sharp(path)
      .metadata()
      .catch(() => {
        throw new ContentError(file, line, `the picture ${src} is missing or cannot be read`);
      });
    pictures.push({ src, width, height });
  }
  return pictures;
}

function rejectDuplicateIds(loaded: readonly LoadedArticle[]): void {
  const seen = new Map<string, string>();
  for (const { article, file, idLine } of loaded) {
    const { id, slug } = article;
    const other = seen.get(id);
    if (other) throw new ContentError(file, idLine, `id: ${id} is the id of ${other}.md already`);
    seen.set(id, slug);
  }
}
