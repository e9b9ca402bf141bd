import { Fragment, isValidElement, type ReactNode } from 'react';
import ReactMarkdown from 'react-markdown';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';

/** An element's attributes as React names them. */
export type MarkdownAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Text, or an element: tag, attributes, content. Plain data, so that it can travel from the server to the browser. */
export type MarkdownNode =
  | string
  | readonly [tag: string, attributes: MarkdownAttributes, content: readonly MarkdownNode[]];

/**
 * Reads Markdown, with the HTML it may contain, as safe elements: the sanitiser keeps its default list of tags, attributes
 * and protocols (http, https, irc, ircs, mailto, xmpp, or relative) and drops the rest. The parser is large: a page that
 * comes from the server must never load it.
 */
export function parseMarkdown(source: string): MarkdownNode[] {
  // A component without hooks, so that it can simply be called: what it returns is the tree.
  return nodesOf(
    ReactMarkdown({
      children: source,
      remarkPlugins: [remarkGfm],
      // Footnotes would get the prefix here and once more from the sanitiser.
      remarkRehypeOptions: { clobberPrefix: '' },
      rehypePlugins: [rehypeRaw, rehypeSanitize],
    }),
  );
}

interface ElementProps {
  children?: ReactNode;
  style?: { textAlign?: string };
  [attribute: string]: unknown;
}

function nodesOf(content: ReactNode): MarkdownNode[] {
  if (Array.isArray(content)) return content.flatMap(nodesOf);
  if (typeof content === 'string') return [content];
  if (!isValidElement<ElementProps>(content)) return [];
  const { children, style, ...attributes } = content.props;
  if (content.type === Fragment) return nodesOf(children);
  // The alignment of a table's column; the content policy allows no style attribute.
  if (style?.textAlign) attributes.align = style.textAlign;
  return [[String(content.type), attributes as MarkdownAttributes, nodesOf(children)]];
}
