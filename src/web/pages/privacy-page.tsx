import { PAGES } from '#contract/paths';
import * as about from '../../../content/legal/privacy.md?about';
import { legalPage } from './legal-page.tsx';

export const page = legalPage(about, PAGES.privacy, () => import('../../../content/legal/privacy.md'));
