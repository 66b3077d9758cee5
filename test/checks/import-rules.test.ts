import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

const run = promisify(execFile);

/** Source files, each with the import rule that it breaks, or null. A cycle is reported for one of its files. */
const FILES: Readonly<Record<string, readonly [source: string, breaks: string | null]>> = {
  'domain/core/money.ts': ['export const cents = 1; export type Cents = number;', null],
  'domain/dynamic.ts': [`export const rows = await import('../db/rows.ts');`, 'domain-imports'],
  'contract/shape.ts': [`import { cents } from '../domain/core/money.ts'; export const shape = cents;`, null],
  'db/rows.ts': [
    `import { cents } from '../domain/core/money.ts'; export const rows = [cents]; export type Row = 1;`,
    null,
  ],
  'activities/charge.ts': [
    `import { rows } from '../db/rows.ts'; export const charge = rows; export type Charge = 1;`,
    null,
  ],
  'workflows/core/messages.ts': ['export const pay = 1;', null],
  'workflows/story.ts': [
    `import type { Charge } from '../activities/charge.ts'; export type Story = Charge;`,
    null,
  ],
  'workflows/eager.ts': [
    `import { charge } from '../activities/charge.ts'; export const x = charge;`,
    'workflows-imports-types-of-activities',
  ],
  'workflows/mixed.ts': [
    `import { type Charge, charge } from '../activities/charge.ts'; export const x: Charge = charge;`,
    'workflows-imports-types-of-activities',
  ],
  'workflows/passed-on.ts': [
    `export * from '../activities/charge.ts';`,
    'workflows-imports-types-of-activities',
  ],
  'workflows/disk.ts': [
    `import { readFileSync } from 'node:fs'; export const x = readFileSync;`,
    'workflows-have-no-io',
  ],
  'api/pay.ts': [`import { pay } from '../workflows/core/messages.ts'; export const x = pay;`, null],
  'api/inside.ts': [`import { x } from '../workflows/eager.ts'; export const y = x;`, 'api-imports'],
  'db/core/pool.ts': ['export const pool = 1;', null],
  'db/session/click.ts': [`import { pool } from '../core/pool.ts'; export const click = pool;`, null],
  'db/payment/up.ts': [
    `import { click } from '../session/click.ts'; export const x = click;`,
    'db-payment-imports',
  ],
  'api/http/lists/page.ts': ['export const page = 1;', null],
  'api/http/route.ts': [
    `import { page } from './lists/page.ts'; export const x = page;`,
    'api-http-itself-imports',
  ],
  'page/document/up.ts': [
    `import { main } from '../http/server.ts'; export const x = main;`,
    'page-document-stands-alone',
  ],
  'page/http/server.ts': ['export const main = 1;', null],
  'bin/main.ts': [`import { x } from '../api/pay.ts'; export const main = x;`, null],
  'page/main.ts': [`import { main } from '../bin/main.ts'; export const x = main;`, 'page-imports'],
  'sandbox/effect.ts': [`import '../db/rows.ts';`, 'sandbox-imports'],
  'sandbox/types.ts': [`import type { Row } from '../db/rows.ts'; export type X = Row;`, 'sandbox-imports'],
  'test/money.ts': [`import { main } from '../bin/main.ts'; export const x = main;`, null],
  'worker/cheat.ts': [`import { x } from '../test/money.ts'; export const y = x;`, 'worker-imports'],
  'rail/none.ts': [`import { none } from '../domain/none.ts'; export const x = none;`, 'everything-resolves'],
  'db/chicken.ts': [`import { egg } from './egg.ts'; export const chicken = () => egg;`, 'no-cycles'],
  'db/egg.ts': [`import { chicken } from './chicken.ts'; export const egg = () => chicken;`, null],
};

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'imports-'));
  await cp(join(PROJECT_DIR, '.dependency-cruiser.cjs'), join(dir, '.dependency-cruiser.cjs'));
  for (const [file, [source]] of Object.entries(FILES)) {
    await mkdir(join(dir, dirname(file)), { recursive: true });
    await writeFile(join(dir, file), source);
  }
});
afterAll(() => rm(dir, { recursive: true }));

test('the import check reports every violation and nothing else', async () => {
  const depcruise = join(PROJECT_DIR, 'node_modules/.bin/depcruise');
  const args = [depcruise, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', '.'];
  const { stdout } = await run(process.execPath, args, { cwd: dir }).catch(
    (failed) => failed as { stdout: string },
  );
  const { summary } = JSON.parse(stdout) as {
    summary: { violations: { from: string; rule: { name: string } }[] };
  };
  const found = new Map(summary.violations.map(({ from, rule }) => [from, rule.name]));
  const verdicts = Object.keys(FILES).map((file) => [file, found.get(file) ?? null]);
  expect(Object.fromEntries(verdicts)).toEqual(
    Object.fromEntries(Object.entries(FILES).map(([file, [, breaks]]) => [file, breaks])),
  );
});
