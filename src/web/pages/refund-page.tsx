import { PAGES } from '#contract/paths';
import * as about from '../../../content/legal/refund-policy.md?about';
import { legalPage } from './legal-page.tsx';

export const page = legalPage(about, PAGES.refund, () => import('../../../content/legal/refund-policy.md'));
