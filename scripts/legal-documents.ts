import { relative } from 'node:path';
import type { Plugin } from 'vite';
import { z } from 'zod';
import { JOB_KEPT_HOURS } from '../src/contract/job.ts';
import {
  FREE_DAILY_LIMIT,
  MAX_IMAGE_MB,
  numberInWords,
  RECENT_RESULTS_LIMITS,
} from '../src/contract/product.ts';
import { parseFrontMatter } from '../src/server/content/front-matter.ts';
import { parseMarkdown } from '../src/web/ui/markdown/parse-markdown.ts';

const LEGAL_DOCUMENT = /(\/content\/legal\/[^/]+\.md)(\?about)?$/;

/** Values of the placeholders in legal texts, except for the contact, which is inserted when the page is rendered. */
const FACTS: Readonly<Record<string, string>> = {
  freeDailyLimit: numberInWords(FREE_DAILY_LIMIT),
  largestPicture: `${MAX_IMAGE_MB} MB`,
  mostRecentResults: numberInWords(RECENT_RESULTS_LIMITS.most),
  recentResultsDays: `${RECENT_RESULTS_LIMITS.days} days`,
  jobResultHours: `${numberInWords(JOB_KEPT_HOURS.result)} hour`,
  jobStateHours: `${JOB_KEPT_HOURS.state} hours`,
};

const frontMatterSchema = z.strictObject({
  title: z.string().min(1),
  description: z.string().min(50).max(165),
});

const withFacts = (text: string): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => FACTS[name] ?? whole);

/**
 * A Vite plugin that imports `content/legal/*.md` as modules with `title`, `description` and `body`, so that a legal text is a
 * readable file and needs neither an API call nor a parser in the browser. With `?about`, the module has no body. An error in
 * the front matter fails the build with file and line.
 */
export function legalDocuments(): Plugin {
  return {
    name: 'legal-documents',
    enforce: 'pre',
    transform(source, id) {
      const [, file, isAbout] = LEGAL_DOCUMENT.exec(id) ?? [];
      if (!file) return undefined;
      const { data, body } = parseFrontMatter(source, relative(process.cwd(), file), frontMatterSchema);
      const document = isAbout ? data : { ...data, body: parseMarkdown(withFacts(body)) };
      const exports = Object.entries(document).map(
        ([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
      );
      return { code: exports.join('\n'), map: null };
    },
  };
}
