import { find, hastToReact, html } from 'property-information';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

/** Attributes of an element by their React names. */
export type MarkdownAttributes = Readonly<Record<string, string | number | boolean>>;

/** Text, or an element: tag, attributes, content. Serializable, because the server sends it to the browser. */
export type MarkdownNode =
  | string
  | readonly [tag: string, attributes: MarkdownAttributes, content: readonly MarkdownNode[]];

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  // No prefix here, because the sanitizer adds it to footnotes too.
  .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: '' })
  .use(rehypeRaw)
  .use(rehypeSanitize)
  .freeze();

type Root = ReturnType<typeof processor.runSync>;
type Node = Root | Root['children'][number];
type Properties = Extract<Node, { type: 'element' }>['properties'];

/**
 * Parses Markdown and the HTML in it to safe elements. The sanitizer keeps its default list of tags, attributes and
 * protocols (http, https, irc, ircs, mailto, xmpp, or relative) and drops all others. The parser is large: browsers must
 * never load it, only the server and the build.
 */
export function parseMarkdown(source: string): MarkdownNode[] {
  return nodesOf(processor.runSync(processor.parse(source)));
}

/** React warns about whitespace text inside these elements. It is not visible. */
const WITHOUT_WHITESPACE = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr']);

function nodesOf(node: Node): MarkdownNode[] {
  switch (node.type) {
    case 'root':
      return node.children.flatMap(nodesOf);
    case 'text':
      return [node.value];
    case 'element': {
      const content = node.children.flatMap(nodesOf);
      const shown = WITHOUT_WHITESPACE.has(node.tagName)
        ? content.filter((part) => typeof part !== 'string' || part.trim() !== '')
        : content;
      return [[node.tagName, attributesOf(node.properties), shown]];
    }
    default:
      return [];
  }
}

function attributesOf(properties: Properties): MarkdownAttributes {
  const attributes: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    const { space, property, attribute, commaSeparated } = find(html, name);
    const reactName = space ? (hastToReact[property] ?? property) : attribute;
    attributes[reactName] = Array.isArray(value) ? value.join(commaSeparated ? ', ' : ' ') : value;
  }
  return attributes;
}
