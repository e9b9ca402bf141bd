import { createElement, type ReactNode } from 'react';
import { TextLink } from '../basics/button.tsx';
import type { MarkdownAttributes, MarkdownNode } from './parse-markdown.ts';

/** The sanitizer's prefix of every id and name, so that none shadows a property of the document. */
const CLOBBER_PREFIX = 'user-content-';

interface MarkdownProps {
  /** The result of `parseMarkdown`, which sanitizes them. */
  nodes: readonly MarkdownNode[];
  /** Sizes of the images in pixels, so that their space is reserved while they load. */
  pictures?: readonly { src: string; width: number; height: number }[];
}

export function Markdown({ nodes, pictures = [] }: MarkdownProps) {
  const show = (node: MarkdownNode): ReactNode => {
    if (typeof node === 'string') return node;
    const [tag, attributes, content] = node;
    const size = tag === 'img' && pictures.find(({ src }) => src === attributes.src);
    return createElement(
      ELEMENTS[tag] ?? tag,
      size ? { ...attributes, ...size } : attributes,
      ...content.map(show),
    );
  };
  return createElement('div', { className: 'prose' }, ...nodes.map(show));
}

type ElementProps = MarkdownAttributes & { children?: ReactNode };

/** The elements that get additional attributes or a wrapper. */
const ELEMENTS: Readonly<Record<string, (props: ElementProps) => ReactNode>> = {
  a({ href, ...rest }) {
    const address = String(href ?? '');
    // The sanitizer has prefixed the footnote's ID, so its link needs the prefix too.
    const target = /^#(?!user-content-)./.test(address) ? `#${CLOBBER_PREFIX}${address.slice(1)}` : address;
    return <TextLink {...rest} href={target} />;
  },
  img({ alt, ...rest }) {
    return <img {...rest} alt={String(alt ?? '')} loading="lazy" decoding="async" />;
  },
  table(props) {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and the keyboard can scroll only a focusable element
      <figure className="prose-table" aria-label="Table" tabIndex={0}>
        <table {...props} />
      </figure>
    );
  },
  pre(props) {
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long code scrolls, and the keyboard can scroll only a focusable element
    return <pre {...props} tabIndex={0} />;
  },
};
