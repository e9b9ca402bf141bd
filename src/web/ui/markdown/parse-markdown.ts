import { find, hastToReact, html } from 'property-information';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

/** An element's attributes as React names them. */
export type MarkdownAttributes = Readonly<Record<string, string | number | boolean>>;

/** Text, or an element: tag, attributes, content. Plain data, so that it can travel from the server to the browser. */
export type MarkdownNode =
  | string
  | readonly [tag: string, attributes: MarkdownAttributes, content: readonly MarkdownNode[]];

const reader = unified()
  .use(remarkParse)
  .use(remarkGfm)
  // Footnotes would get the prefix here and once more from the sanitiser.
  .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: '' })
  .use(rehypeRaw)
  .use(rehypeSanitize)
  .freeze();

type Root = ReturnType<typeof reader.runSync>;
type Node = Root | Root['children'][number];
type Properties = Extract<Node, { type: 'element' }>['properties'];

/**
 * Reads Markdown, with the HTML it may contain, as safe elements: the sanitiser keeps its default list of tags, attributes
 * and protocols (http, https, irc, ircs, mailto, xmpp, or relative) and drops the rest. The parser is large: a page that
 * comes from the server must never load it.
 */
export function parseMarkdown(source: string): MarkdownNode[] {
  return nodesOf(reader.runSync(reader.parse(source)));
}

/** React warns of white space between these, which is not visible. */
const WITHOUT_SPACE = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr']);

function nodesOf(node: Node): MarkdownNode[] {
  switch (node.type) {
    case 'root':
      return node.children.flatMap(nodesOf);
    case 'text':
      return [node.value];
    case 'element': {
      const content = node.children.flatMap(nodesOf);
      const shown = WITHOUT_SPACE.has(node.tagName)
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
