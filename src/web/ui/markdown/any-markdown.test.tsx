import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { defaultSchema } from 'rehype-sanitize';
import { describe, expect, it } from 'vitest';
import { holds } from '../../../../tests/support/properties.ts';
import { Markdown } from './markdown.tsx';
import { type MarkdownNode, parseMarkdown } from './parse-markdown.ts';

const TAGS = [
  'a',
  'img',
  'b',
  'p',
  'div',
  'table',
  'td',
  'input',
  'details',
  'script',
  'style',
  'svg',
  'math',
  'iframe',
];
const ATTRIBUTES = [
  'href',
  'src',
  'id',
  'name',
  'onerror',
  'onclick',
  'style',
  'class',
  'cite',
  'srcset',
  'title',
];
const SCHEMES = [
  'javascript:',
  'JaVa\tScript:',
  'data:text/html,',
  'vbscript:',
  'blob:',
  'file:',
  'https:',
  'mailto:',
];
const value = fc.oneof(
  fc
    .tuple(fc.constantFrom(...SCHEMES, '//', '/', '#', '&#106;avascript:', '\u0001javascript:'), fc.string())
    .map((pair) => pair.join('')),
  fc.string(),
);
const element = fc
  .tuple(
    fc.constantFrom(...TAGS),
    fc.array(fc.tuple(fc.constantFrom(...ATTRIBUTES), value), { maxLength: 3 }),
  )
  .map(([tag, attributes]) => `<${tag}${attributes.map(([name, one]) => ` ${name}="${one}"`).join('')}>`);
const fragment = fc.oneof(
  element,
  fc.constantFrom(...TAGS).map((tag) => `</${tag}>`),
  value.map((target) => `[x](${target})`),
  value.map((target) => `![x](<${target}>)`),
  value.map((target) => `[x]: ${target}\n\n[x]`),
  fc.constantFrom(
    '\n\n',
    '| a | b |\n|---|:-:|\n| c | d |\n',
    '- [x] ',
    '[^1]\n\n[^1]: note',
    '```js\n',
    '<!--',
    ']]>',
    '&lt;',
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);
const source = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.array(fragment, { maxLength: 12 }).map((fragments) => fragments.join('')),
);

const ALLOWED_TAGS = new Set(defaultSchema.tagNames);
const ALLOWED_LINKS = ['http:', 'https:', 'irc:', 'ircs:', 'mailto:', 'xmpp:'];
const ALLOWED_SOURCES: Readonly<Record<string, readonly string[]>> = {
  href: ALLOWED_LINKS,
  src: ['http:', 'https:'],
  cite: ['http:', 'https:'],
  longDesc: ['http:', 'https:'],
};

function visitElements(
  nodes: readonly MarkdownNode[],
  visit: (tag: string, attributes: object) => void,
): void {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    const [tag, attributes, content] = node;
    visit(tag, attributes);
    visitElements(content, visit);
  }
}

describe('any Markdown', () => {
  it('becomes only allowed elements, without event handlers, styles or forbidden protocols', () =>
    holds(
      fc.asyncProperty(source, async (markdown) => {
        visitElements(parseMarkdown(markdown), (tag, attributes) => {
          expect(ALLOWED_TAGS).toContain(tag);
          for (const [name, content] of Object.entries(attributes)) {
            expect(name).not.toMatch(/^on|^style$|^srcset$|^formaction$/i);
            const allowed = ALLOWED_SOURCES[name];
            // A browser does not follow a URL that it cannot parse.
            if (!allowed || !URL.canParse(String(content), 'https://page.example/')) continue;
            expect(allowed).toContain(new URL(String(content), 'https://page.example/').protocol);
          }
        });
      }),
      200,
    ));

  it('prefixes every id and name, so that none shadows a property of the document', () =>
    holds(
      fc.asyncProperty(source, async (markdown) => {
        visitElements(parseMarkdown(markdown), (_tag, attributes) => {
          for (const [name, content] of Object.entries(attributes)) {
            if (name === 'id' || name === 'name') expect(content).toMatch(/^user-content-/);
          }
        });
      }),
      150,
    ));

  it('renders without an error', () =>
    holds(
      fc.asyncProperty(source, async (markdown) => {
        const shown = renderToStaticMarkup(<Markdown nodes={parseMarkdown(markdown)} />);
        expect(shown).toMatch(/^<div class="prose">/);
      }),
      100,
    ));
});
