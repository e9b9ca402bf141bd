/** Draws the preview images of shared links: one for each article, and one for all other pages. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import satori from 'satori';
import sharp from 'sharp';
import { BRAND } from '../src/contract/product.ts';
import { loadArticles } from '../src/server/content/articles.ts';

/** Size in pixels that social networks recommend. */
const WIDTH = 1200;
const HEIGHT = 630;

const PAPER = '#f4f0e6';
const INK = '#16212e';
const SOFT = '#465060';
const MARKER = '#ffdf3f';

type Node = {
  type: string;
  props: { style: Record<string, string | number>; children?: Array<Node | string> | string };
};

const box = (style: Record<string, string | number>, ...children: Array<Node | string>): Node => ({
  type: 'div',
  props: { style: { display: 'flex', ...style }, children },
});

/** A crop mark. */
function cropMark(vertical: 'top' | 'bottom', horizontal: 'left' | 'right'): Node {
  const edge = (side: string) => ({ [`border${side}`]: `3px solid ${INK}` });
  return box({
    position: 'absolute',
    [vertical]: 44,
    [horizontal]: 44,
    width: 40,
    height: 40,
    ...edge(vertical === 'top' ? 'Top' : 'Bottom'),
    ...edge(horizontal === 'left' ? 'Left' : 'Right'),
  });
}

function card(title: string, line: string): Node {
  return box(
    {
      boxSizing: 'border-box',
      width: WIDTH,
      height: HEIGHT,
      background: PAPER,
      color: INK,
      padding: '110px 120px',
      flexDirection: 'column',
      justifyContent: 'space-between',
    },
    cropMark('top', 'left'),
    cropMark('top', 'right'),
    cropMark('bottom', 'left'),
    cropMark('bottom', 'right'),
    box(
      {
        fontFamily: 'Newsreader',
        fontSize: title.length > 42 ? 72 : 88,
        lineHeight: 1.08,
        letterSpacing: '-0.015em',
      },
      title,
    ),
    box(
      {
        fontFamily: 'Instrument Sans',
        fontSize: 30,
        justifyContent: 'space-between',
        alignItems: 'center',
        color: SOFT,
      },
      box({ background: MARKER, color: INK, padding: '6px 14px' }, BRAND.name),
      box({}, line),
    ),
  );
}

/**
 * @param content folder of the articles
 * @param target folder for `<slug>.png` and `site.png`
 */
async function drawCards(content: string, target: string): Promise<void> {
  const require = createRequire(import.meta.url);
  const font = (path: string) => readFile(require.resolve(path));
  const fonts = [
    {
      name: 'Newsreader',
      data: await font('@fontsource/newsreader/files/newsreader-latin-500-normal.woff'),
      weight: 500 as const,
    },
    {
      name: 'Instrument Sans',
      data: await font('@fontsource/instrument-sans/files/instrument-sans-latin-500-normal.woff'),
      weight: 500 as const,
    },
  ];
  const draw = async (name: string, title: string, line: string) => {
    // satori's types require React elements, but plain objects suffice.
    const svg = await satori(card(title, line) as unknown as Parameters<typeof satori>[0], {
      width: WIDTH,
      height: HEIGHT,
      fonts,
    });
    await writeFile(
      join(target, `${name}.png`),
      await sharp(Buffer.from(svg)).png({ palette: true }).toBuffer(),
    );
  };
  await mkdir(target, { recursive: true });
  await draw('site', BRAND.tagline, 'Image to text, with an honest confidence for each word');
  for (const article of (await loadArticles(content)).list())
    await draw(article.slug, article.title, `${article.readingTime} read`);
}

await drawCards(join('content', 'blog'), join('dist', 'web', 'client', 'social'));
