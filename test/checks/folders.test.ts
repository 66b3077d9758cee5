/** @reads bin/check-folders.ts */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

/** What the check reports about a project with these files. */
function reported(files: Readonly<Record<string, string>>): readonly string[] {
  const dir = mkdtempSync(join(tmpdir(), 'folders-'));
  try {
    execFileSync('git', ['init', '-q'], { cwd: dir });
    for (const [file, source] of Object.entries(files)) {
      mkdirSync(join(dir, dirname(file)), { recursive: true });
      writeFileSync(join(dir, file), source);
    }
    const check = join(PROJECT_DIR, 'bin/check-folders.ts');
    const { status, stderr } = spawnSync(process.execPath, [check, dir], { encoding: 'utf8' });
    const lines = stderr.split('\n').filter((line) => line !== '');
    expect(status).toBe(lines.length > 0 ? 1 : 0);
    return lines;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test('two folders that import each other are reported, and imports in one direction are not', () => {
  const lines = reported({
    'shop/pages/cart.ts': `import { price } from '../core/price.ts';\nexport const cart = price;`,
    'shop/core/price.ts': `import type { Row } from '../rows/row.ts';\nexport const price = 1 as Row;`,
    'shop/rows/row.ts': `import { name } from '../core/name.ts';\nexport type Row = typeof name;`,
    'shop/core/name.ts': 'export const name = 1;',
    'main.ts': `export { cart } from './shop/pages/cart.ts';`,
  });
  expect(lines).toEqual([
    'shop: core and rows need each other: shop/core/price.ts imports shop/rows/row.ts',
    'shop: rows and core need each other: shop/rows/row.ts imports shop/core/name.ts',
  ]);
});

test('the files next to folders count as one folder, and a circle of three is reported', () => {
  const lines = reported({
    'a/main.ts': `import '../a/b/one.ts';`,
    'a/b/one.ts': `import '../c/two.ts';`,
    'a/c/two.ts': `import '../config.ts';`,
    'a/config.ts': 'export const config = 1;',
  });
  expect(new Set(lines.map((line) => line.split(': ')[1]))).toEqual(
    new Set([
      'its own files and b need each other',
      'b and c need each other',
      'c and its own files need each other',
    ]),
  );
});
