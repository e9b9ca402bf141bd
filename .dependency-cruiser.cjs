/** Which folder may import which; ARCHITECTURE.md explains the structure. `allowed`: a pattern of paths. */
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.tsx?$' },
  to: { path: '^(src|content|tests|bench|scripts|training)/', pathNot: allowed },
});

/** The server's slices, and which others each may import. Every slice may import `BELOW`; files beside the slices import all. */
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
    `slice-${name}-imports-only-listed-slices`,
    `^src/server/${name}/`,
    `^src/(answer/|contract/|formats/|ocr/|server/(config\\.ts$|(${[name, ...BELOW, ...allowed].join('|')})/))`,
  );
/** The layers of `src/web`, lowest first: none imports from a higher one. */
const WEB_LAYERS = [
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

const webLayers = WEB_LAYERS.slice(0, -1).map((layer, at) => ({
  name: `web-${layer.replaceAll(/\W+/g, '-')}imports-no-higher-layer`,
  severity: 'error',
  from: { path: `^src/web/(${layer})`, pathNot: '\\.test\\.tsx?$' },
  to: { path: `^src/web/(${WEB_LAYERS.slice(at + 1).join('|')})` },
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
  name: `workspace-${name}-imports-only-listed-parts`,
  severity: 'error',
  from: { path: `^src/web/workspace/${name}/`, pathNot: '\\.test\\.tsx?$' },
  to: { path: `^src/web/workspace/(?!(${[name, ...others].join('|')})/)[^/]+/` },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    only('contract-imports-no-other-folder', '^src/contract/', '^src/contract/'),
    {
      name: 'contract-imports-only-zod',
      severity: 'error',
      from: { path: '^src/contract/' },
      to: { dependencyTypes: ['npm', 'core'], pathNot: 'node_modules/zod/' },
    },
    // They are installed elsewhere and use the API by its OpenAPI document.
    only('clients-and-extension-import-no-other-folder', '^(clients|extension)/', '^$'),
    only(
      'answer-imports-contract-and-engine-types',
      '^src/answer/',
      '^src/(answer|contract)/|^src/ocr/(types|languages/languages)\\.ts$',
    ),
    only('geometry-imports-no-other-folder', '^src/geometry/', '^src/geometry/'),
    only('formats-import-contract-and-geometry', '^src/formats/', '^src/(formats|contract|geometry)/'),
    {
      name: 'formats-import-no-node-modules',
      severity: 'error',
      from: { path: '^src/formats/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      // Writing Markdown must not load the writer of Word files.
      name: 'writers-are-loaded-on-demand',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/formats/(pdf|docx|xlsx|csv|markdown|json|hocr|alto)\\.ts$',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    only(
      'library-imports-only-the-engine',
      '^src/library/',
      '^src/(library/|ocr/(index|types|errors)\\.ts$)',
    ),
    // The command line shares the server's language folders.
    only(
      'program-imports-library-and-formats',
      '^src/program/',
      '^src/(program|library|formats|contract|answer)/|^src/ocr/(languages/|recognizers/tesseract\\.ts|types\\.ts)|^src/server/language-folders\\.ts$',
    ),
    {
      name: 'program-is-not-imported',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/program/' },
      to: { path: '^src/program/' },
    },
    only('engine-imports-no-other-folder', '^src/ocr/', '^src/ocr/'),
    // The engine's folders and what each may import: earlier stages only. Recognition gets line images, not the picture.
    ...Object.entries({
      page: ['picture/(picture|pixels)'],
      reading: ['picture/pixels', 'page/', 'weights/'],
      layout: ['picture/(picture|pixels)', 'page/', 'reading/'],
      picture: [],
      networks: [],
      languages: ['reading/lexicon'],
      recognizers: ['networks/', 'languages/', 'page/', 'reading/', 'picture/(?!picture)', 'weights/'],
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
        `engine-${folder}-imports-only-earlier-stages`,
        `^src/ocr/${folder}/`,
        `^src/ocr/(${[`${folder}/`, ...others, 'types\\.ts', 'errors\\.ts', 'checked\\.ts', 'recent\\.ts', 'module-entry\\.ts'].join('|')})`,
      ),
    ),
    {
      name: 'stages-import-no-modules-of-node-or-npm',
      severity: 'error',
      from: {
        path: '^src/ocr/(page|reading|layout|pipeline|trace|picture/(picture|pixels|format|bmp|heif|tiff\\.|decode-cost))',
        pathNot: '\\.test\\.ts$',
      },
      to: { dependencyTypesNot: ['local'] },
    },
    {
      name: 'pipeline-imports-only-stages',
      severity: 'error',
      from: { path: '^src/ocr/pipeline\\.ts$' },
      to: {
        path: '^src/ocr/(recognizers|networks|host|child|threads|picture/(decode|scale)\\.ts|languages/(?!languages))',
      },
    },
    only(
      'web-imports-contract-formats-and-geometry',
      '^src/web/(?!features/extraction/device/)',
      '^(src/(web|contract|formats|geometry)|content/(legal|examples))/',
    ),
    only(
      'device-reading-imports-only-the-browser-engine',
      '^src/web/features/extraction/device/',
      '^src/(web|answer|contract)/|^src/ocr/(browser/|(errors|types)\\.ts$)|^scripts/networks/published/',
    ),
    {
      name: 'server-imports-only-the-index-of-the-engine',
      severity: 'error',
      from: { path: '^src/server/' },
      to: { path: '^src/ocr/', pathNot: '^src/ocr/index\\.ts$' },
    },
    {
      name: 'only-recognition-and-job-results-import-formats',
      severity: 'error',
      from: { path: '^src/server/', pathNot: '^src/server/(recognition/|jobs/job-result\\.ts)' },
      to: { path: '^src/formats/' },
    },
    {
      name: 'only-recognition-imports-the-engine',
      severity: 'error',
      from: {
        path: '^src/server/',
        pathNot:
          '^src/server/(recognition/|jobs/jobs\\.routes\\.integration\\.test\\.ts|(main|services|slices|app|gauges|worker-health)\\.ts)',
      },
      to: { path: '^src/ocr/' },
    },
    only(
      'server-imports-contract-formats-and-engine',
      '^src/server/',
      '^src/(server|answer|contract|formats|ocr)/',
    ),
    ...Object.entries(SLICES).map(([name, allowed]) => slice(name, allowed)),
    only('http-imports-no-slice', '^src/server/http/', '^src/(contract/|server/(http|platform)/)'),
    only(
      'platform-imports-nothing-else-of-the-server',
      '^src/server/platform/',
      '^src/(contract/|server/platform/)',
    ),
    only(
      'admin-uses-the-services',
      '^src/server/admin/(?!main\\.ts$)',
      '^src/(contract/|server/((admin|platform)/|(config|schema|services)\\.ts$|billing/period\\.ts$|accounts/users\\.repository\\.ts$))',
    ),
    {
      name: 'scripts-import-neither-bench-nor-training',
      severity: 'error',
      from: { path: '^scripts/' },
      to: { path: '^(bench|training)/' },
    },
    {
      name: 'only-training-imports-training',
      severity: 'error',
      from: { pathNot: '^training/' },
      to: { path: '^training/' },
    },
    {
      name: 'bench-imports-only-the-index-of-the-engine',
      severity: 'error',
      // `bench/explain` shows the result of every step.
      from: { path: '^bench/', pathNot: '^bench/expla' },
      to: { path: '^src/', pathNot: '^src/(answer/|ocr/index\\.ts$|contract/)' },
    },
    {
      name: 'onnxruntime-is-loaded-without-telemetry',
      severity: 'error',
      from: { pathNot: '^src/ocr/(networks|browser)/onnxruntime\\.ts$' },
      // The page passes the URLs of the runtime's files to the engine.
      to: { path: 'onnxruntime-(node|common|web)', pathNot: '\\?url$' },
    },
    {
      name: 'features-do-not-import-each-other',
      severity: 'error',
      from: { path: '^src/web/features/([^/]+)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^src/web/features/(?!$1)[^/]+/' },
    },
    {
      name: 'extraction-intake-and-documents-import-no-other-part',
      severity: 'error',
      from: { path: '^src/web/features/extraction/(intake|documents)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^src/web/features/extraction/(?!$1/).*\\.tsx?$' },
    },
    ...webLayers,
    ...workspaceParts,
    {
      // Without `REDIS_URL` they must cost neither start time nor memory.
      name: 'redis-is-loaded-on-demand',
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
      // Nor does monitoring that is turned off.
      name: 'monitoring-is-loaded-on-demand',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/server/platform/(prometheus|opentelemetry)\\.ts|\\.test\\.ts$' },
      to: {
        path: '^src/server/platform/(prometheus|opentelemetry)\\.ts|(^|/)node_modules/(prom-client|@opentelemetry)/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'entry-points-are-not-imported',
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
