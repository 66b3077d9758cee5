/**
 * The longest test files run first, so that none is left running alone at the end. A file's duration is its last one
 * on this machine or, if it has not run here, the one in `long-files.json`.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';

type Sequencing = typeof import('@jest/test-sequencer');
type Tests = Parameters<InstanceType<Sequencing['default']>['sort']>[0];

// Its types describe the CommonJS module.
const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as Sequencing;

/** In seconds, as printed by `npm test -- --slowest`. */
const LONG_FILES: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL('long-files.json', import.meta.url), 'utf8'),
);

export default class LongestFirst extends Sequencer {
  override async sort(tests: Tests): Promise<Tests> {
    // Sorting also sets each file's duration, where Jest knows it.
    const sorted = await super.sort(tests);
    return sorted.toSorted((a, b) => durationMs(b) - durationMs(a));
  }
}

function durationMs({ path, context, duration }: Tests[number]): number {
  return duration ?? (LONG_FILES[relative(context.config.rootDir, path)] ?? 0) * 1_000;
}
