/** Finds changed files, and the journeys that visit the changed pages. */

/**
 * Path prefixes of sources, and the journeys that test them: names of files in `tests/e2e/journeys` without `.spec.ts`. Other
 * paths belong to no journey.
 * @type {ReadonlyArray<{ paths: readonly string[], journeys: readonly string[] }>}
 */
export const JOURNEYS = [
  {
    paths: ['src/ocr/', 'src/server/recognition/', 'src/contract/calls/recognition'],
    journeys: ['reading', 'sending', 'languages'],
  },
  {
    paths: ['src/web/features/extraction/', 'src/web/history/', 'src/web/workspace/', 'src/formats/'],
    journeys: ['reading', 'workspace', 'formats', 'recent-results', 'sending'],
  },
  {
    paths: [
      'src/web/features/extraction/batch/',
      'src/web/features/extraction/documents/',
      'src/server/jobs/',
    ],
    journeys: ['file-list', 'document-pages'],
  },
  {
    paths: ['src/server/accounts/', 'src/web/features/account/', 'src/web/pages/account/'],
    journeys: ['account', 'second-factor', 'session', 'saved-texts'],
  },
  { paths: ['src/server/saved-texts/', 'src/web/features/saved-texts/'], journeys: ['saved-texts'] },
  { paths: ['src/server/api-keys/', 'src/web/features/api-keys/'], journeys: ['api-keys'] },
  {
    paths: ['src/server/registration/'],
    journeys: ['third-party-sign-in', 'demo-identity', 'paypal'],
  },
  {
    paths: ['src/server/billing/', 'src/web/features/billing/', 'src/web/dialogs/'],
    journeys: ['paypal', 'subscription', 'limit'],
  },
  { paths: ['src/server/waitlist/', 'src/web/features/waitlist/'], journeys: ['waitlist'] },
  {
    paths: ['src/server/content/', 'src/web/features/blog/', 'content/', 'src/web/ui/markdown/'],
    journeys: ['blog', 'content-policy', 'crawler'],
  },
  {
    paths: [
      'src/web/router/',
      'src/web/routes',
      'src/web/entry-',
      'src/web/hydration/',
      'src/web/shell/',
      'src/server/http/',
    ],
    journeys: [
      'navigation',
      'before-scripts',
      'cached-pages',
      'content-policy',
      'foreign-origin',
      'crawler',
      'advertising',
    ],
  },
  { paths: ['src/web/offline/'], journeys: ['installed', 'demo-identity'] },
  {
    paths: ['src/server/config', 'src/server/main', 'src/server/services'],
    journeys: ['nothing-configured', 'account', 'reading'],
  },
];

/**
 * Paths of files that were changed since the commit or staged, or are new and not ignored.
 * @param {(...args: string[]) => string} git runs git and returns its output
 * @param {string} commit
 */
export function changedFiles(git, commit) {
  const output = [
    git('diff', '--name-only', commit, '--'),
    git('ls-files', '--others', '--exclude-standard'),
  ].join('\n');
  return [...new Set(output.split('\n').filter(Boolean))];
}

/**
 * @param {readonly string[]} changed paths from the root
 * @returns {string[]} names of journeys, sorted
 */
export function journeysFor(changed) {
  const own = changed.flatMap((path) => /^tests\/e2e\/journeys\/(.+)\.spec\.ts$/.exec(path)?.[1] ?? []);
  const through = JOURNEYS.filter(({ paths }) =>
    changed.some(
      (path) => paths.some((beginning) => path.startsWith(beginning)) && !/\.test\.tsx?$/.test(path),
    ),
  ).flatMap(({ journeys }) => journeys);
  return [...new Set([...own, ...through])].sort();
}
