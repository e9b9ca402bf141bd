/** Which files changed, and which journeys go through the places that were touched. */

/**
 * Folders and files, as beginnings of paths, and the journeys that see what is in them: names of files in
 * `tests/e2e/journeys` without `.spec.ts`. A path that no line names belongs to no journey.
 * @type {ReadonlyArray<{ touched: readonly string[], journeys: readonly string[] }>}
 */
export const JOURNEYS = [
  {
    touched: ['src/ocr/', 'src/server/recognition/', 'src/contract/calls/recognition'],
    journeys: ['reading', 'sending', 'languages'],
  },
  {
    touched: ['src/web/features/extraction/', 'src/web/history/', 'src/web/workspace/', 'src/formats/'],
    journeys: ['reading', 'workspace', 'formats', 'recent-results', 'sending'],
  },
  {
    touched: [
      'src/web/features/extraction/batch/',
      'src/web/features/extraction/documents/',
      'src/server/jobs/',
    ],
    journeys: ['file-list', 'document-pages'],
  },
  {
    touched: ['src/server/accounts/', 'src/web/features/account/', 'src/web/pages/account/'],
    journeys: ['account', 'second-factor', 'session', 'saved-texts'],
  },
  { touched: ['src/server/saved-texts/', 'src/web/features/saved-texts/'], journeys: ['saved-texts'] },
  { touched: ['src/server/api-keys/', 'src/web/features/api-keys/'], journeys: ['api-keys'] },
  {
    touched: ['src/server/registration/'],
    journeys: ['third-party-sign-in', 'demo-identity', 'paypal'],
  },
  {
    touched: ['src/server/billing/', 'src/web/features/billing/', 'src/web/dialogs/'],
    journeys: ['paypal', 'subscription', 'limit'],
  },
  { touched: ['src/server/waitlist/', 'src/web/features/waitlist/'], journeys: ['waitlist'] },
  {
    touched: ['src/server/content/', 'src/web/features/blog/', 'content/', 'src/web/ui/markdown/'],
    journeys: ['blog', 'content-policy', 'crawler'],
  },
  {
    touched: [
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
  { touched: ['src/web/offline/'], journeys: ['installed', 'demo-identity'] },
  {
    touched: ['src/server/config', 'src/server/main', 'src/server/services'],
    journeys: ['nothing-configured', 'account', 'reading'],
  },
];

/**
 * Paths from the root: changed since the commit, staged, or new and not ignored.
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
export function journeysThrough(changed) {
  const own = changed.flatMap((path) => /^tests\/e2e\/journeys\/(.+)\.spec\.ts$/.exec(path)?.[1] ?? []);
  const through = JOURNEYS.filter(({ touched }) =>
    changed.some(
      (path) => touched.some((beginning) => path.startsWith(beginning)) && !/\.test\.tsx?$/.test(path),
    ),
  ).flatMap(({ journeys }) => journeys);
  return [...new Set([...own, ...through])].sort();
}
