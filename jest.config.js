/**
 * Test files run as native ES modules, three at a time: they wait more than they work, so that two cores hold
 * three. One PostgreSQL and one Temporal serve them all.
 */
const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } } }],
  },
  modulePathIgnorePatterns: ['<rootDir>/.local/', '<rootDir>/dist/'],
};

/** What takes minutes runs in `npm run test:full` only. */
const HEAVY = '<rootDir>/test/full/';

export default {
  maxWorkers: 3,
  testTimeout: 60_000,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  projects: [
    {
      ...shared,
      displayName: 'tests',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', HEAVY],
    },
    { ...shared, displayName: 'full', testMatch: [`${HEAVY}**/*.test.ts`] },
  ],
};
