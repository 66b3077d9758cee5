import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { keepBaseline } from '../../sandbox/stack/postgres/baseline.ts';

const OTHER = /has the schema of another baseline: "npm start -- --fresh" starts over, without its data\.$/;

let dir: string;
let migrations: string;
let files: { readonly postgres: string; readonly baseline: string };
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'baseline-'));
  migrations = join(dir, 'migrations');
  cpSync(join(PROJECT_DIR, 'db/migrations'), migrations, { recursive: true });
  files = { postgres: join(dir, 'postgres'), baseline: join(dir, 'baseline.json') };
});
afterEach(() => rmSync(dir, { recursive: true }));

function change(name: string, to: (text: string) => string): void {
  const file = join(migrations, name);
  writeFileSync(file, to(readFileSync(file, 'utf8')));
}
const start = () => keepBaseline(files, migrations);

test('a database is refused once one of its applied migrations has changed', () => {
  start();
  mkdirSync(files.postgres);
  start();
  change('0004_session.sql', (text) => text.replace('create table', 'create  table\n'));
  change('0004_session.sql', (text) => `-- Another comment.\n${text}`);
  start();
  change('0004_session.sql', (text) => `${text}\nalter table checkouts add column another text;`);
  expect(start).toThrow(OTHER);
});

test('a new migration is applied to the database of an earlier run, and recorded there', () => {
  start();
  mkdirSync(files.postgres);
  writeFileSync(join(migrations, '0013_new.sql'), 'create table new_table ();');
  start();
  change('0013_new.sql', () => 'create table newer_table ();');
  expect(start).toThrow(OTHER);
});

test('a database of unknown baseline is refused', () => {
  mkdirSync(files.postgres);
  expect(start).toThrow(OTHER);
});
