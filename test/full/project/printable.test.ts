/** The table of printable characters must match the fonts: a new version of a font may have more or fewer. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { printableSource } from '../../../tools/printable.ts';

test('the table of printable characters matches the fonts', async () => {
  const file = new URL('../../../domain/core/printable-ranges.ts', import.meta.url);
  expect(await printableSource()).toBe(await readFile(file, 'utf8'));
}, 300_000);
