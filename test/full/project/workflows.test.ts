/**
 * The workflows of .github, checked with actionlint.
 * @needs go
 * @reads .github
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { runTool } from '../../../sandbox/stack/process/tool.ts';
import { goTool } from '../../support/tool/go.ts';

/** The tool is built by the first run on a machine. */
const TIMEOUT_MS = 300_000;

test(
  'actionlint accepts the workflows, and finds a planted fault',
  async () => {
    const actionlint = await goTool('github.com/rhysd/actionlint/cmd/actionlint', 'v1.7.7');
    const dir = join(PROJECT_DIR, '.github/workflows');
    const workflows = (await readdir(dir)).map((name) => join(dir, name));
    // Without shellcheck and pyflakes: not every machine has them.
    const lint = (files: readonly string[]) =>
      runTool(actionlint, ['-shellcheck=', '-pyflakes=', '-no-color', ...files]);
    await lint(workflows);
    const broken = await mkdtemp(join(tmpdir(), 'workflow-'));
    try {
      const file = join(broken, 'broken.yml');
      const steps = '[{ if: github.no_such_thing, run: ls }]';
      await writeFile(file, `on: push\njobs: { one: { runs-on: ubuntu-24.04, steps: ${steps} } }\n`);
      await expect(lint([file])).rejects.toThrow('no_such_thing');
    } finally {
      await rm(broken, { recursive: true, force: true });
    }
  },
  TIMEOUT_MS,
);

test('the release workflow runs no code of the repository, and waits for the approval of its environment', async () => {
  const { jobs } = parse(await readFile(join(PROJECT_DIR, '.github/workflows/release.yml'), 'utf8'));
  expect(jobs.build).not.toHaveProperty('permissions');
  expect(jobs.publish).toMatchObject({ needs: 'build', environment: 'release' });
  const used = jobs.publish.steps.flatMap(({ uses }: { uses?: string }) => uses ?? []);
  expect(used.join()).not.toContain('actions/checkout');
  for (const action of used) expect(action).toMatch(/@[0-9a-f]{40}$/);
});
