import { describe, expect, it } from 'vitest';
import { splitArticle } from './parsed-article.ts';

const lines = (count: number, text = 'text') =>
  Array.from({ length: count }, (_, index) => `${text} ${index}`);

describe('splitArticle', () => {
  it('splits at the first level-2 heading after the midpoint', () => {
    const source = [...lines(12), '## Second', ...lines(8)];
    const [first, second] = splitArticle(source.join('\n'));
    expect(first.endsWith('text 11')).toBe(true);
    expect(second.startsWith('## Second')).toBe(true);
  });

  it('splits at a blank line that comes before a heading', () => {
    const [first, second] = splitArticle([...lines(6), '', '## Later', ...lines(4)].join('\n'));
    expect(first.split('\n')).toHaveLength(6);
    expect(second.startsWith('\n## Later')).toBe(true);
  });

  it('splits at the midpoint if it is a blank line', () => {
    expect(splitArticle(['a', '', 'b'].join('\n'))).toEqual(['a', '\nb']);
  });

  it('does not split at a heading of another level', () => {
    const [, second] = splitArticle(
      [...lines(6), '### Third level', 'x', '## Second level', ...lines(3)].join('\n'),
    );
    expect(second.startsWith('## Second level')).toBe(true);
  });

  it('splits at the tenth line after the midpoint, but not at the eleventh', () => {
    const at = (distance: number) => {
      const source = lines(60);
      source[30 + distance] = '';
      return splitArticle(source.join('\n'))[1];
    };
    expect(at(10)).not.toBe('');
    expect(at(11)).toBe('');
  });

  it('does not split inside a code block', () => {
    const source = [...lines(4), '```', 'a', '', '## not a heading', '', 'b', '```', '', 'end'];
    const [first, second] = splitArticle(source.join('\n'));
    expect(first.match(/```/g)).toHaveLength(2);
    expect(second).toBe('\nend');
  });

  it('returns sections that joined are the article', () => {
    const source = [...lines(9), '', ...lines(9)].join('\n');
    expect(splitArticle(source).join('\n')).toBe(source);
  });
});
