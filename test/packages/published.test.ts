/** The packages as they are published, as publint and arethetypeswrong see them. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { expect, test } from '@jest/globals';
import { publint } from 'publint';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

const run = promisify(execFile);

/**
 * `require` of an ES module needs Node.js 20.19; hosted-checkout, which supports both, replaces this package.
 */
const ES_MODULE_ONLY = { kind: 'CJSResolvesToESM', resolutionKind: 'node16-cjs' };
const PACKAGES: readonly (readonly [string, readonly object[] | null])[] = [
  ['node', []],
  ['webhooks', [ES_MODULE_ONLY]],
  ['create-shop', null],
];

/** Functions that the oldest Node.js of a package's `engines` lacks, which esbuild does not replace. */
const TOO_NEW =
  /\b(?:URL\.parse|Promise\.(?:withResolvers|try)|(?:Object|Map)\.groupBy|Array\.fromAsync|RegExp\.escape)\(/g;

async function callsTooNew(dir: string): Promise<readonly string[]> {
  const files = (await readdir(dir, { recursive: true })).filter((file) => /\.[cm]?js$/.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(dir, file), 'utf8')));
  return texts.flatMap((text, n) => (text.match(TOO_NEW) ?? []).map((call) => `${files[n]}: ${call}`));
}

test.each(PACKAGES)(
  'the packed %s resolves for every import and require, types included',
  async (name, problems) => {
    const isLibrary = problems !== null;
    const from = join(PROJECT_DIR, 'packages', name);
    const dir = await mkdtemp(join(tmpdir(), 'published-'));
    try {
      await cp(from, dir, { recursive: true, filter: (path) => !path.includes('/dist') });
      const env = { ...process.env, NODE_OPTIONS: '' };
      if (isLibrary) await run(process.execPath, ['build.mjs', join(dir, 'dist')], { cwd: from, env });
      await run('npm', ['pack', '--ignore-scripts'], { cwd: dir, env });
      expect(await callsTooNew(dir)).toEqual([]);
      const { messages } = await publint({ pkgDir: dir, pack: false, strict: true });
      expect(messages).toEqual([]);
      if (!isLibrary) return;
      const packed = (await readdir(dir)).find((file) => file.endsWith('.tgz')) ?? '';
      const analysis = await checkPackage(createPackageFromTarballData(await readFile(join(dir, packed))));
      expect(analysis).toMatchObject({ types: { kind: 'included' }, problems });
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  },
  60_000,
);
