/** Workflow names, messages and queues: everything that starters and callers of workflows need. */
const MESSAGES = 'workflows/[a-z]+/([a-z-]*messages|session-start|task-queues)';
/** The header in which workflows propagate a trace. */
const TRACE_HEADER = 'workflows/core/trace-header';
/** How a process writes its log. */
const LOGGER = 'platform/observability/logger';
/** Messages between the page and a rail's card fields in the browser. */
const FIELDS_PROTOCOL = 'rail/fields-protocol';

/** Allowed imports; a folder may import only what is listed here. */
const MAY_IMPORT = {
  domain: [],
  'platform/observability': ['domain'],
  'platform/secrets': [],
  contract: ['domain'],
  db: ['domain', 'contract', 'platform/observability'],
  rail: ['domain'],
  'platform/outbound': ['domain'],
  workflows: ['domain'],
  'platform/temporal': ['domain', 'platform/observability', 'db', MESSAGES, TRACE_HEADER],
  activities: [
    'domain',
    'contract',
    'platform/observability',
    'db',
    'rail',
    'platform/outbound',
    'platform/secrets',
    'platform/temporal',
    MESSAGES,
  ],
  'dashboard/app': [],
  'dashboard/build': ['page/http/bundle-output'],
  page: ['domain', 'contract', 'db', 'platform/secrets', 'platform/temporal', MESSAGES, FIELDS_PROTOCOL],
  api: [
    'domain',
    'contract',
    'platform/observability',
    'db',
    'rail',
    'page',
    'dashboard/build',
    'platform/outbound',
    'platform/secrets',
    'platform/temporal',
    MESSAGES,
  ],
  worker: [
    'domain',
    'platform/observability',
    'db/core/heartbeats',
    'activities',
    'workflows',
    'platform/temporal',
  ],
  sandbox: ['domain', 'contract', LOGGER],
};
/** Type-only imports: nothing is loaded at run time. */
const MAY_IMPORT_TYPES_OF = { workflows: ['activities'], page: ['rail'], sandbox: ['page'] };
/**
 * Inside these layers each folder is a subject, and a subject may import those before it. Files directly in a layer
 * (its index, its server) may import all of them. `core` and `http` serve every subject.
 */
const LAYERS_BY_SUBJECT = ['domain', 'contract', 'db', 'workflows', 'activities', 'api'];
const SUBJECTS = [
  'core',
  'http',
  'webhook',
  'catalogue',
  'merchant',
  'payment',
  'invoice',
  'refund',
  'subscription',
  'session',
  'dispute',
  'restore',
  'operations',
  'sweep',
  'openapi',
];
/** Folders inside a folder, each of which may import those before it; '' stands for the folder's own files. */
const IN_ORDER = {
  'api/http': ['', 'request', 'authentication', 'lists'],
  'rail/stripe': ['core', 'browser', 'payment', 'account', ''],
  'sandbox/stack': ['process', 'core', 'postgres', 'temporal', 'demo', ''],
  'test/support': ['core', 'server', 'tool', 'db', 'temporal', 'api', 'world', 'stack', ''],
};
const FOLDERS = [...Object.keys(MAY_IMPORT), 'bin', 'tools', 'test'];

const inside = (paths) => `^(${paths.join('|')})(/|[.]ts$)`;

const folderRules = Object.entries(MAY_IMPORT).flatMap(([folder, allowed]) => {
  const typesOf = MAY_IMPORT_TYPES_OF[folder] ?? [];
  const comment = `${folder}/ may import: ${[...allowed, ...typesOf.map((of) => `types of ${of}`)].join(', ') || 'nothing of ours'}`;
  const from = { path: inside([folder]) };
  return [
    {
      name: `${folder.replace('/', '-')}-imports`,
      severity: 'error',
      comment,
      from,
      to: { path: inside(FOLDERS), pathNot: inside([folder, ...allowed, ...typesOf]) },
    },
    ...typesOf.map((of) => ({
      name: `${folder.replace('/', '-')}-imports-types-of-${of}`,
      severity: 'error',
      comment,
      from,
      to: { path: inside([of]), pathNot: inside(allowed), dependencyTypesNot: ['type-only'] },
    })),
  ];
});

const subjectRules = LAYERS_BY_SUBJECT.flatMap((layer) =>
  SUBJECTS.map((subject, index) => ({
    name: `${layer}-${subject}-imports`,
    severity: 'error',
    comment: `${layer}/${subject}/ may import: ${SUBJECTS.slice(0, index + 1).join(', ')}`,
    from: { path: `^${layer}/${subject}/` },
    to: { path: `^${layer}/`, pathNot: `^${layer}/(${SUBJECTS.slice(0, index + 1).join('|')})/` },
  })),
);

const filesOf = (folder, inner) => (inner === '' ? `${folder}/[^/]+$` : `${folder}/${inner}/`);
const orderRules = Object.entries(IN_ORDER).flatMap(([folder, order]) =>
  order.slice(0, -1).map((inner, index) => ({
    name: `${folder.replace('/', '-')}-${inner || 'itself'}-imports`,
    severity: 'error',
    comment: `${folder}/ in order: ${order.map((name) => name || 'its own files').join(', ')}`,
    from: { path: `^${filesOf(folder, inner)}` },
    to: { path: order.slice(index + 1).map((later) => `^${filesOf(folder, later)}`) },
  })),
);

module.exports = {
  forbidden: [
    ...folderRules,
    ...subjectRules,
    ...orderRules,
    {
      name: 'service-needs-no-sandbox',
      severity: 'error',
      comment: 'The image does not contain it.',
      from: { path: '^bin/(api|worker|migrate|config|ops)[.]ts$|^bin/ops/' },
      to: { path: inside(['sandbox']) },
    },
    {
      name: 'programs-need-no-tools',
      severity: 'error',
      comment: 'The image does not contain them.',
      from: { path: inside(['bin', 'sandbox']) },
      to: { path: inside(['tools']) },
    },
    {
      name: 'page-document-stands-alone',
      severity: 'error',
      comment: 'Code that both the server and the browser render imports neither of them.',
      from: { path: '^page/document/' },
      to: { path: '^page/(http|browser)/' },
    },
    {
      name: 'page-browser-imports',
      severity: 'error',
      comment: 'Browser code imports nothing from the server.',
      from: { path: '^page/browser/' },
      to: { path: '^page/http/' },
    },
    {
      name: 'dashboard-parts-know-no-page',
      severity: 'error',
      comment: 'The shared parts of the dashboard import no page, and only the shell imports pages.',
      from: { path: '^dashboard/app/(words|api|ui|session)/' },
      to: {
        path: '^dashboard/app/[a-z]+/',
        pathNot: '^dashboard/app/(words|api|ui|session)/',
      },
    },
    {
      name: 'dashboard-pages-know-no-shell',
      severity: 'error',
      from: { path: '^dashboard/app/[a-z]+/', pathNot: '^dashboard/app/shell/' },
      to: { path: '^dashboard/app/shell/' },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { pathNot: inside(['test']) },
      to: { path: inside(['test']) },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Two files that import each other are one thing, or one of them is in the wrong place.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'production-needs-no-dev-dependency',
      severity: 'error',
      from: { path: inside(Object.keys(MAY_IMPORT)), pathNot: '^(sandbox|dashboard/app)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'everything-resolves',
      severity: 'error',
      comment:
        'Examples import the built package, as its users do; one for purchases imports a client that a test generates.',
      from: { pathNot: '^(packages/[^/]+/(examples|template)|test/full/clients/(purchases|calls))/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'workflows-have-no-io',
      severity: 'error',
      comment: 'Workflow code is deterministic: of packages it has the Temporal workflow API only.',
      from: { path: inside(['workflows', 'domain']) },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'core', 'npm-no-pkg', 'npm-unknown'],
        pathNot: 'node_modules/@temporalio/(workflow|common)/',
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^([.]local|dist|node_modules)/', '[.]d[.]ts$'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json', '.d.ts'],
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
