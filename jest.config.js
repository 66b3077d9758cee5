/**
 * Test files are loaded by Node itself (test/runner/runtime.ts), five at a time: they wait more than they work. Four at a
 * time on two cores, those of test/workflows, a quarter of the whole, used 97 s of processor time of the 282 s that they
 * had. In `npm run test:full`, three at a time and one of those that mostly wait. One PostgreSQL and one Temporal serve
 * them all.
 */
const shared = {
  runtime: '<rootDir>/test/runner/runtime.ts',
  testEnvironment: '<rootDir>/test/runner/environment.ts',
  transform: {},
  injectGlobals: false,
  // These folders can contain a package with the project's name, which Jest would report as a duplicate module.
  modulePathIgnorePatterns: ['<rootDir>/.local/', '<rootDir>/dist/'],
};

/** Tests that take minutes run in `npm run test:full` only. */
const HEAVY = '<rootDir>/test/full/';

/** Tests that mostly wait: they use a third of a core or less. */
const WAITING = [
  `${HEAVY}deploy/alerts-live.test.ts`,
  `${HEAVY}deploy/figures-while-away.test.ts`,
  `${HEAVY}deploy/incident-alerts.test.ts`,
  `${HEAVY}faults/lost-click.test.ts`,
  `${HEAVY}faults/operators.test.ts`,
  `${HEAVY}faults/restored-temporal.test.ts`,
  `${HEAVY}night/night.test.ts`,
];

/** Tests that measure time: in parallel, they would measure other tests' load. */
const ALONE = [
  `${HEAVY}webhooks/fairness.test.ts`,
  `${HEAVY}e2e/proof-of-work.test.ts`,
  `${HEAVY}workflows/burst-of-expiries.test.ts`,
  `${HEAVY}project/document-cost.test.ts`,
  `${HEAVY}page/slow-phone.test.ts`,
];

/** Tests that this machine cannot run: `tools/test.ts` detects them and lists them at the end. */
const skipped = JSON.parse(process.env.TEST_SKIP ?? '[]').map((file) => `<rootDir>/${file}$`);

export default {
  maxWorkers: 5,
  // A test takes a second or two, but up to a minute and more while other work occupies both cores.
  testTimeout: 300_000,
  testSequencer: '<rootDir>/test/runner/longest-first.ts',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  projects: [
    {
      ...shared,
      displayName: 'tests',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', HEAVY, ...skipped],
    },
    {
      ...shared,
      displayName: 'full',
      runner: '<rootDir>/test/runner/beside.ts',
      testMatch: [`${HEAVY}**/*.test.ts`],
      testPathIgnorePatterns: [
        '/node_modules/',
        ...[...ALONE, ...WAITING].map((file) => `${file}$`),
        ...skipped,
      ],
    },
    {
      ...shared,
      displayName: 'waiting',
      runner: '<rootDir>/test/runner/beside.ts',
      testMatch: WAITING,
      testPathIgnorePatterns: ['/node_modules/', ...skipped],
    },
    {
      ...shared,
      displayName: 'alone',
      runner: '<rootDir>/test/runner/alone.ts',
      testMatch: ALONE,
      testPathIgnorePatterns: ['/node_modules/', ...skipped],
    },
  ],
};
