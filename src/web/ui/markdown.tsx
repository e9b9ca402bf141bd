import type { ComponentProps } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { TextLink } from './link.tsx';

/** What the sanitiser puts before every id and name, so that none can shadow a property of the document. */
const CLOBBER_PREFIX = 'user-content-';

interface MarkdownProps {
  source: string;
  /** Sizes in pixels of pictures in the text, so that they keep their place while they load. */
  pictures?: readonly { src: string; width: number; height: number }[];
}

/**
 * Markdown, with the HTML it may contain, as safe elements: the sanitiser keeps its default list of tags, attributes and
 * protocols (http, https, irc, ircs, mailto, xmpp, or relative) and drops the rest.
 */
export function Markdown({ source, pictures = [] }: MarkdownProps) {
  return (
    <div className="prose">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        // Footnotes would get the prefix here and once more from the sanitiser.
        remarkRehypeOptions={{ clobberPrefix: '' }}
        rehypePlugins={[rehypeRaw, rehypeSanitize]}
        components={{ ...elements, img: (props) => <Picture {...props} pictures={pictures} /> }}
      >
        {source}
      </ReactMarkdown>
    </div>
  );
}

const elements: Components = {
  a({ node, href = '', ...rest }) {
    // The target of a footnote has got the prefix; so must its link.
    const address = /^#(?!user-content-)./.test(href) ? `#${CLOBBER_PREFIX}${href.slice(1)}` : href;
    return <TextLink {...rest} href={address} />;
  },
  table({ node, ...rest }) {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and without a focus the keyboard could not
      <figure className="prose-table" aria-label="Table" tabIndex={0}>
        <table {...rest} />
      </figure>
    );
  },
  pre({ node, ...rest }) {
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long code scrolls, and without a focus the keyboard could not
    return <pre {...rest} tabIndex={0} />;
  },
};

function Picture({
  pictures,
  src,
  alt,
  ...rest
}: ComponentProps<'img'> & { node?: unknown } & Required<Pick<MarkdownProps, 'pictures'>>) {
  const { node, ...attributes } = rest;
  const size = pictures.find((picture) => picture.src === src);
  return (
    <img
      {...attributes}
      src={src}
      alt={alt ?? ''}
      width={size?.width}
      height={size?.height}
      loading="lazy"
      decoding="async"
    />
  );
}
