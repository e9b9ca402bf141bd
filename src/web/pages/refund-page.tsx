import { PAGES } from '#contract/paths';
import * as document from '../../../content/legal/refund-policy.md';
import type { Page } from '../page.ts';
import { LegalText, legalMeta } from './legal-text.tsx';

function RefundPolicy() {
  return <LegalText document={document} />;
}

export const page: Page = { Component: RefundPolicy, meta: legalMeta(document, PAGES.refund) };
