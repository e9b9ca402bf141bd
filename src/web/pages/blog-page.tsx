import { PAGES } from '#contract/paths';
import { breadcrumbs } from '../head.ts';
import type { Page } from '../page.ts';
import { ButtonLink } from '../ui/button.tsx';

function Blog() {
  return (
    <div className="page-width py-10 md:py-16">
      <h1 className="max-w-3xl text-4xl">Notes on reading pictures</h1>
      <p className="mt-5 max-w-xl text-lg text-ink-soft">
        How recognition works, where it fails, and what you can do with a camera and a lamp before it has to.
      </p>
      <p className="mt-10 border-t border-ink pt-6 text-ink-soft">The first articles are being set.</p>
      <ButtonLink to={PAGES.home} className="mt-6">
        Try it on a picture of yours
      </ButtonLink>
    </div>
  );
}

export const page: Page = {
  Component: Blog,
  meta: ({ site }) => ({
    title: 'Blog: notes on reading pictures',
    description:
      'Articles about optical character recognition: how it works, where it fails, and how to help it.',
    path: PAGES.blog,
    jsonLd: [breadcrumbs(site, [{ name: 'Blog', path: PAGES.blog }])],
  }),
};
