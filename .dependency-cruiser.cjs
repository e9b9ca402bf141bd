/** The rooms of the house and who may look into which. ARCHITECTURE.md says why. */
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.tsx?$' },
  to: { path: '^(src|content|tests|bench|scripts|training)/', pathNot: allowed },
});

/**
 * The server's slices, and which others each may import; ARCHITECTURE.md says why. What stands beside them builds them
 * and may import them all; what stands below them may be imported by all of them.
 */
const SLICES = {
  accounts: [],
  registration: ['accounts'],
  billing: ['accounts', 'registration'],
  recognition: ['accounts'],
  'saved-texts': ['accounts'],
  'api-keys': ['accounts'],
  webhooks: ['accounts'],
  jobs: ['accounts', 'recognition', 'webhooks'],
  waitlist: ['accounts'],
  content: [],
};
const BELOW = ['http', 'platform'];

const slice = (name, allowed) =>
  only(
    `slice-${name}-keeps-to-its-table`,
    `^src/server/${name}/`,
    `^src/(answer/|contract/|formats/|ocr/|server/(config\\.ts$|(${[name, ...BELOW, ...allowed].join('|')})/))`,
  );
/** The folders of the page, the lowest floor first: none imports from a floor above. */
const WEB_FLOORS = [
  'hydration/|router/|site/|state/|workers/',
  'ui/',
  'api/|session/|offline/',
  'workspace/',
  'history/',
  'features/',
  'dialogs/',
  'shell/',
  'pages/',
  'routes\\.tsx$',
  'entry-',
];

const webFloors = WEB_FLOORS.slice(0, -1).map((floor, at) => ({
  name: `web-${floor.replaceAll(/\W+/g, '-')}imports-no-floor-above`,
  severity: 'error',
  from: { path: `^src/web/(${floor})`, pathNot: '\\.test\\.tsx?$' },
  to: { path: `^src/web/(${WEB_FLOORS.slice(at + 1).join('|')})` },
}));

/** The parts of the workspace, and which others each may import; the files beside them put them together. */
const WORKSPACE = {
  text: ['review', 'spoken'],
  spoken: ['export', 'text'],
  review: ['image', 'text'],
  image: ['export', 'findings'],
  findings: ['export', 'image', 'text'],
  tables: ['export', 'text'],
  export: ['tables'],
};

const workspaceParts = Object.entries(WORKSPACE).map(([name, others]) => ({
  name: `workspace-${name}-keeps-to-its-table`,
  severity: 'error',
  from: { path: `^src/web/workspace/${name}/`, pathNot: '\\.test\\.tsx?$' },
  to: { path: `^src/web/workspace/(?!(${[name, ...others].join('|')})/)[^/]+/` },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-cycles-not-even-of-types',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    only('contract-stands-alone', '^src/contract/', '^src/contract/'),
    {
      name: 'contract-knows-only-zod',
      severity: 'error',
      from: { path: '^src/contract/' },
      to: { dependencyTypes: ['npm', 'core'], pathNot: 'node_modules/zod/' },
    },
    // What people install elsewhere knows the API by its document alone.
    only('clients-and-extension-stand-alone', '^(clients|extension)/', '^$'),
    only(
      'answer-knows-contract-and-engine-types',
      '^src/answer/',
      '^src/(answer|contract)/|^src/ocr/(types|languages/languages)\\.ts$',
    ),
    only('geometry-stands-alone', '^src/geometry/', '^src/geometry/'),
    only('formats-know-contract-and-geometry', '^src/formats/', '^src/(formats|contract|geometry)/'),
    {
      name: 'formats-run-anywhere',
      severity: 'error',
      from: { path: '^src/formats/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      // Writing Markdown must not load the writer of Word files.
      name: 'writers-are-fetched-when-asked-for',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/formats/(pdf|docx|xlsx|csv|markdown|json|hocr|alto)\\.ts$',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    only('library-knows-the-engine-only', '^src/library/', '^src/(library/|ocr/(index|types|errors)\\.ts$)'),
    // The program reads with the library, writes with the formats, and shares the server's language folders and its way to tell a text.
    only(
      'program-knows-the-library-and-the-formats',
      '^src/program/',
      '^src/(program|library|formats|contract|answer)/|^src/ocr/(languages/|recognizers/tesseract\\.ts|types\\.ts)|^src/server/language-folders\\.ts$',
    ),
    {
      name: 'program-is-not-imported',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/program/' },
      to: { path: '^src/program/' },
    },
    only('engine-stands-alone', '^src/ocr/', '^src/ocr/'),
    // The engine's folders in the order of the work: each knows itself, what it is named with here, and no later one.
    ...Object.entries({
      page: ['picture/picture'],
      reading: ['picture/picture', 'page/', 'weights/'],
      layout: ['picture/picture', 'page/', 'reading/'],
      picture: [],
      networks: [],
      languages: ['reading/lexicon'],
      recognizers: ['networks/', 'languages/', 'page/', 'reading/', 'picture/', 'weights/'],
      threads: ['recognizers/', 'networks/', 'languages/', 'page/', 'reading/', 'layout/', 'picture/'],
      browser: [
        'threads/(network-tasks|tasks)',
        'recognizers/(?!tesseract\\.ts|node-models)',
        'networks/(?!onnxruntime|ready)',
        'languages/(?!language-(data|fetcher)|debian|npm|package)',
        'layout/',
        'page/',
        'picture/(?!decode\\.ts|pdf|tiff-recompress)',
        'pipeline',
        'reading/',
      ],
      child: ['threads/', 'recognizers/', 'languages/', 'layout/', 'page/', 'picture/', 'pipeline'],
      host: ['child/messages'],
    }).map(([folder, others]) =>
      only(
        `engine-${folder}-knows-no-later-step`,
        `^src/ocr/${folder}/`,
        `^src/ocr/(${[`${folder}/`, ...others, 'types\\.ts', 'errors\\.ts', 'checked\\.ts', 'recent\\.ts', 'module-entry\\.ts'].join('|')})`,
      ),
    ),
    {
      name: 'stages-are-pure',
      severity: 'error',
      from: {
        path: '^src/ocr/(page|reading|layout|pipeline|trace|picture/(picture|flatten|format|bmp|heif|tiff\\.|decode-cost))',
        pathNot: '\\.test\\.ts$',
      },
      to: { dependencyTypesNot: ['local'] },
    },
    {
      name: 'conductor-knows-stages-only',
      severity: 'error',
      from: { path: '^src/ocr/pipeline\\.ts$' },
      to: {
        path: '^src/ocr/(recognizers|networks|host|child|threads|picture/(decode|scale)\\.ts|languages/(?!languages))',
      },
    },
    only(
      'web-knows-contract-formats-and-geometry',
      '^src/web/(?!features/extraction/device/)',
      '^(src/(web|contract|formats|geometry)|content/(legal|examples))/',
    ),
    only(
      'web-enters-the-engine-by-its-browser-door',
      '^src/web/features/extraction/device/',
      '^src/(web|answer|contract)/|^src/ocr/(browser/|(errors|types)\\.ts$)|^scripts/networks/published/',
    ),
    {
      name: 'server-enters-the-engine-by-its-door',
      severity: 'error',
      from: { path: '^src/server/' },
      to: { path: '^src/ocr/', pathNot: '^src/ocr/index\\.ts$' },
    },
    {
      name: 'only-recognition-writes-files',
      severity: 'error',
      from: { path: '^src/server/', pathNot: '^src/server/(recognition/|jobs/job-result\\.ts)' },
      to: { path: '^src/formats/' },
    },
    {
      name: 'only-recognition-uses-the-engine',
      severity: 'error',
      from: {
        path: '^src/server/',
        pathNot:
          '^src/server/(recognition/|jobs/jobs\\.routes\\.integration\\.test\\.ts|(main|services|slices|app|gauges|worker-health)\\.ts)',
      },
      to: { path: '^src/ocr/' },
    },
    only(
      'server-knows-contract-formats-and-engine',
      '^src/server/',
      '^src/(server|answer|contract|formats|ocr)/',
    ),
    ...Object.entries(SLICES).map(([name, allowed]) => slice(name, allowed)),
    only('http-knows-no-slice', '^src/server/http/', '^src/(contract/|server/(http|platform)/)'),
    only(
      'platform-knows-nothing-of-the-server',
      '^src/server/platform/',
      '^src/(contract/|server/platform/)',
    ),
    only(
      'the-operators-tool-goes-through-the-services',
      '^src/server/admin/(?!main\\.ts$)',
      '^src/(contract/|server/((admin|platform)/|(config|schema|services)\\.ts$|billing/period\\.ts$|accounts/users\\.repository\\.ts$))',
    ),
    {
      name: 'what-is-measured-and-trained-with-stands-above-the-scripts',
      severity: 'error',
      from: { path: '^scripts/' },
      to: { path: '^(bench|training)/' },
    },
    {
      name: 'nothing-needs-what-only-trains',
      severity: 'error',
      from: { pathNot: '^training/' },
      to: { path: '^training/' },
    },
    {
      name: 'bench-enters-the-engine-by-its-door',
      severity: 'error',
      // What explains looks at every step. Addresses are the contract's.
      from: { path: '^bench/', pathNot: '^bench/expla' },
      to: { path: '^src/', pathNot: '^src/(answer/|ocr/index\\.ts$|contract/)' },
    },
    {
      name: 'onnxruntime-is-silenced-before-it-loads',
      severity: 'error',
      from: { pathNot: '^src/ocr/(networks|browser)/onnxruntime\\.ts$' },
      // The page gives the files of the runtime to the engine, by their addresses.
      to: { path: 'onnxruntime-(node|common|web)', pathNot: '\\?url$' },
    },
    {
      name: 'features-do-not-know-one-another',
      severity: 'error',
      from: { path: '^src/web/features/([^/]+)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^src/web/features/(?!$1)[^/]+/' },
    },
    {
      name: 'extraction-intake-and-documents-know-no-other-part',
      severity: 'error',
      from: { path: '^src/web/features/extraction/(intake|documents)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^src/web/features/extraction/(?!$1/).*\\.tsx?$' },
    },
    ...webFloors,
    ...workspaceParts,
    {
      // A server that reads by itself must not pay for them with its start and memory.
      name: 'redis-is-loaded-only-where-it-is-asked-for',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot:
          '^src/server/(recognition/(redis/|engine/queued-engine\\.ts)|platform/redis\\.ts|worker\\.ts)|\\.test\\.ts$',
      },
      to: {
        path: '^src/server/(recognition/(redis/|engine/queued-engine\\.ts)|platform/redis\\.ts)|(^|/)node_modules/(bullmq|ioredis)/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      // Nor for monitoring that is turned off.
      name: 'what-watches-is-loaded-only-where-it-is-asked-for',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/server/platform/(prometheus|opentelemetry)\\.ts|\\.test\\.ts$' },
      to: {
        path: '^src/server/platform/(prometheus|opentelemetry)\\.ts|(^|/)node_modules/(prom-client|@opentelemetry)/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'one-composition-root',
      severity: 'error',
      from: { pathNot: '^(tests|scripts)/' },
      to: { path: '^src/server/(main|worker)\\.ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.cache|node_modules/\\.cache)/' },
    tsConfig: { fileName: 'tsconfig.node.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
    },
  },
};
