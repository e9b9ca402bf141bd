import { longDate } from '#contract/long-date';
import { useSite } from '../site/site.tsx';
import { Markdown } from '../ui/markdown/markdown.tsx';
import type { MarkdownNode } from '../ui/markdown/parse-markdown.ts';

export interface LegalDocument {
  title: string;
  body: readonly MarkdownNode[];
}

export function LegalText({ document: { title, body } }: { document: LegalDocument }) {
  const { now, supportEmail } = useSite();
  return (
    <article className="page-width py-10 md:py-16">
      <div className="mx-auto max-w-2xl">
        <h1 className="text-4xl">{title}</h1>
        <p className="mt-4 text-sm text-ink-soft">
          Last updated: <time dateTime={now.slice(0, 10)}>{longDate(now)}</time>
        </p>
        <div className="mt-8 border-t border-rule-heavy pt-8">
          <Markdown nodes={withSupportEmail(body, supportEmail)} />
        </div>
      </div>
    </article>
  );
}

/** Inserts the support address at run time, because the texts are parsed at build time. */
function withSupportEmail(nodes: readonly MarkdownNode[], email: string): MarkdownNode[] {
  return nodes.flatMap((node): MarkdownNode[] => {
    if (typeof node !== 'string') {
      const [tag, attributes, content] = node;
      return [[tag, attributes, withSupportEmail(content, email)]];
    }
    const [before = '', ...after] = node.split('{{supportEmail}}');
    const link: MarkdownNode = ['a', { href: `mailto:${email}` }, [email]];
    return [before, ...after.flatMap((text) => [link, text])].filter((piece) => piece !== '');
  });
}
