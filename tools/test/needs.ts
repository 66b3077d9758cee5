/**
 * Programs that some tests need besides git, npm and Node. A module names them in its first comment (`@needs
 * poppler`); if one is missing, the test files that depend on that module are skipped and listed.
 */
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { findBrowser } from '../../sandbox/stack/browser.ts';
import { cacheDir } from '../../sandbox/stack/core/directories.ts';
import type { Progress } from '../../sandbox/stack/core/progress.ts';
import { hasTool } from '../../sandbox/stack/process/tool.ts';
import { findTemporalServer } from '../../sandbox/stack/temporal/temporal-server-binary.ts';
import { findTestServer } from '../../sandbox/stack/temporal/test-server.ts';
import type { Reach } from './reach.ts';

const _run = promisify(execFile);

export interface Skipped {
  readonly file: string;
  readonly why: string;
}

type Find = (env: NodeJS.ProcessEnv, progress: Progress) => Promise<boolean>;

const NEEDS: Readonly<Record<string, { readonly find: Find; readonly why: string }>> = {
  browser: {
    find: async (env, progress) => {
      const browser = await findBrowser({ env, cacheDir: cacheDir(env), progress });
      if (browser) env.CHROMIUM = browser;
      return browser !== undefined;
    },
    why: 'needs Chromium (on Debian: apt-get install chromium-headless-shell)',
  },
  'time-skipping': {
    find: (env, progress) => findTestServer({ cacheDir: cacheDir(env), progress }).then(isThere, isNot),
    why: "needs Temporal's test server, which cannot be downloaded here, or Java (on Debian: apt-get install maven)",
  },
  poppler: {
    find: () => hasTool('pdftotext', '-v'),
    why: 'needs pdftotext (on Debian: apt-get install poppler-utils)',
  },
  faketime: {
    find: () => hasTool('faketime', '--version'),
    why: 'needs faketime (on Debian: apt-get install faketime)',
  },
  python: {
    find: () => hasTool('python3', '--version'),
    why: 'needs Python (on Debian: apt-get install python3-venv)',
  },
  maven: {
    find: () => hasTool('mvn', '--version'),
    why: 'needs Maven, which downloads a client generator (on Debian: apt-get install maven)',
  },
  go: {
    find: () => hasTool('go', 'version'),
    why: 'needs Go, for a generated client and for the check of changes (https://go.dev/doc/install)',
  },
  promtool: {
    find: () => hasTool('promtool', '--version'),
    why: 'needs promtool (on Debian: apt-get install prometheus)',
  },
  alertmanager: {
    find: () => hasTool('amtool', '--version'),
    why: 'needs amtool and Alertmanager (on Debian: apt-get install prometheus-alertmanager)',
  },
  spin: {
    find: async () => (await hasTool('spin', '-V')) && (await hasTool('cc', '--version')),
    why: 'needs Spin and a C compiler (on Debian: apt-get install spin gcc libc6-dev)',
  },
  pgbouncer: {
    find: () => hasTool('pgbouncer', '--version'),
    why: 'needs PgBouncer (on Debian: apt-get install pgbouncer)',
  },
  'temporal-server': {
    find: (env, progress) => findTemporalServer({ cacheDir: cacheDir(env), progress }).then(isThere, isNot),
    why: 'needs the Temporal server, which Go builds (https://go.dev/doc/install)',
  },
  'stripe-mock': {
    find: async (env) => {
      const cached = await readdir(cacheDir(env)).catch(() => []);
      return cached.some((name) => name.startsWith('stripe-mock-')) || hasTool('go', 'version');
    },
    why: 'needs stripe-mock, which Go builds (https://go.dev/doc/install)',
  },
};

/** @returns the files among `files` that cannot run here. Adds the programs found to `env`. */
export async function findWhatTestsNeed(
  files: readonly string[],
  reach: Reach,
  env: NodeJS.ProcessEnv,
  progress: Progress,
): Promise<readonly Skipped[]> {
  const skipped = new Map<string, string>();
  for (const [name, { find, why }] of Object.entries(NEEDS)) {
    const needing = reach.testsThatNeed(name).filter((file) => files.includes(file));
    if (needing.length === 0 || (await find(env, progress))) continue;
    for (const file of needing) skipped.set(file, why);
  }
  return [...skipped].map(([file, why]) => ({ file, why }));
}

const isThere = () => true;
const isNot = () => false;
