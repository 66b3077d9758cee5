/**
 * The workflows of .github, checked with actionlint.
 * @needs go
 * @reads .github
 */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { runTool } from '../../../sandbox/stack/process/tool.ts';
import { goTool } from '../../support/tool/go.ts';

/** The tool is built by the first run on a machine. */
const TIMEOUT_MS = 300_000;

test(
  'actionlint finds nothing in the workflows, and finds a planted fault',
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
