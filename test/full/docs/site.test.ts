/** `npm run docs` as its user runs it: the build fails on a link that leads nowhere. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { runTool } from '../../../sandbox/stack/process/tool.ts';

let out: string;

beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'docs-site-'));
  const program = join(PROJECT_DIR, 'bin/docs.ts');
  const repository = 'https://code.example/tree/main';
  await runTool(process.execPath, [
    program,
    '--out',
    out,
    '--base',
    '/handbook/',
    '--repository',
    repository,
  ]);
}, 240_000);
afterAll(() => rm(out, { recursive: true, force: true }));

const page = (path: string) => readFile(join(out, path), 'utf8');

test('has a page for each document of docs/, with its headings', async () => {
  const documents = (await readdir(join(PROJECT_DIR, 'docs'))).filter((name) => /\.md$/.test(name));
  for (const name of documents.filter((name) => name !== 'plan.md'))
    expect(await page(name.replace('.md', '.html'))).toContain('<h1');
  expect(await page('decisions/0009-local-activities-for-writes-only.html')).toContain('Alternatives');
});

test('begins with the quick start, under the path that was asked for', async () => {
  const start = await page('index.html');
  expect(start).toContain('npm start');
  expect(start).toContain('href="/handbook/operations.html"');
  expect(start).toContain('https://code.example/tree/main/');
  expect(start).toMatch(/<img[^>]+src="\/handbook\/assets\/form-390\.[^"]+"/);
});

test('can be searched without a server', async () => {
  const chunks = await readdir(join(out, 'assets/chunks'));
  const [index = ''] = chunks.filter((name) => name.startsWith('@localSearchIndexroot'));
  expect(await page(`assets/chunks/${index}`)).toContain('reconciliation_required');
});

test('has the API reference', async () => {
  expect(await page('reference/index.html')).toContain('swagger-ui-bundle.js');
  expect(JSON.parse(await page('reference/openapi.json')).paths).toHaveProperty('/v1/checkouts');
  expect(await page('reference/docs/start.js')).toContain('openapi.json');
});
