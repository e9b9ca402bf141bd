import { breadcrumbs } from '../head.ts';
import { longDate } from '../long-date.ts';
import type { Page } from '../page.ts';
import { useSite } from '../site.tsx';
import { Markdown } from '../ui/markdown.tsx';

/** A file of `content/legal` as a module. */
interface LegalDocument {
  title: string;
  description: string;
  body: string;
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
        <div className="mt-8 border-t border-ink pt-8">
          <Markdown source={body.replaceAll('{{supportEmail}}', supportEmail)} />
        </div>
      </div>
    </article>
  );
}

export function legalMeta({ title, description }: LegalDocument, path: string): Page['meta'] {
  return ({ site }) => ({ title, description, path, jsonLd: [breadcrumbs(site, [{ name: title, path }])] });
}
