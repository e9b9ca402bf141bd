import { PAGES } from '#contract/paths';
import * as document from '../../../content/legal/privacy.md';
import type { Page } from '../page.ts';
import { LegalText, legalMeta } from './legal-text.tsx';

function Privacy() {
  return <LegalText document={document} />;
}

export const page: Page = { Component: Privacy, meta: legalMeta(document, PAGES.privacy) };
