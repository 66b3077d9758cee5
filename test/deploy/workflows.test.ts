/**
 * GitHub's workflows: jobs that may write run no scripts of the project or of installed packages.
 *
 * @reads .github/workflows
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';

const DIR = '.github/workflows';
const permissions = z.record(z.string(), z.enum(['read', 'write', 'none']));
const workflow = z.object({
  permissions,
  jobs: z.record(
    z.string(),
    z.object({
      permissions: permissions.optional(),
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});

/** Commands and actions that run a script of the repository or of a package. */
const RUNS_SCRIPTS = /\b(npm (ci|install|run|test|exec|pack|start|version)|npx|node|pipx?|python3?)\b|\.ci\//;
const ACTION_RUNS_SCRIPTS = /^(\.\/|changesets\/)/;

test('no job with a right to write runs scripts', async () => {
  const files = await readdir(DIR);
  const writers: string[] = [];
  const running: string[] = [];
  for (const file of files) {
    const { jobs, ...top } = workflow.parse(parse(await readFile(join(DIR, file), 'utf8')));
    for (const [name, job] of Object.entries(jobs)) {
      if (!Object.values(job.permissions ?? top.permissions).includes('write')) continue;
      writers.push(`${file} ${name}`);
      for (const { uses = '', run = '' } of job.steps)
        if (RUNS_SCRIPTS.test(run) || ACTION_RUNS_SCRIPTS.test(uses))
          running.push(`${file} ${name}: ${uses}${run}`);
    }
  }
  expect(writers).toEqual(expect.arrayContaining(['release.yml propose', 'release.yml publish']));
  expect(running).toEqual([]);
});
