import { PAGES } from '#contract/paths';
import * as document from '../../../content/legal/terms.md';
import type { Page } from '../page.ts';
import { LegalText, legalMeta } from './legal-text.tsx';

function Terms() {
  return <LegalText document={document} />;
}

export const page: Page = { Component: Terms, meta: legalMeta(document, PAGES.terms) };
