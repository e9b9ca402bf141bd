import { PAGES } from '#contract/paths';
import * as about from '../../../content/legal/terms.md?about';
import { legalPage } from './legal-page.tsx';

export const page = legalPage(about, PAGES.terms, () => import('../../../content/legal/terms.md'));
