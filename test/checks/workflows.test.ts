/**
 * Actions used by the workflows in .github are pinned by commit: a tag or a branch can be moved to other code, which
 * could publish packages and images in our name.
 * @reads .github
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

const WORKFLOWS = join(PROJECT_DIR, '.github/workflows');
const PINNED = /@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

/** Actions, reusable workflows and images; excludes this repository's own, which use the current commit. */
const usedIn = (workflow: string): readonly string[] =>
  [...workflow.matchAll(/^[ {,-]*["']?uses["']?: *(.+)$/gm)]
    .map(([, used = '']) => used.trim())
    .filter((used) => !used.startsWith('./'));

const unpinnedIn = (workflow: string) => usedIn(workflow).filter((used) => !PINNED.test(used));

test.each(readdirSync(WORKFLOWS))('%s pins actions by commit, with the version beside it', (name) => {
  const workflow = readFileSync(join(WORKFLOWS, name), 'utf8');
  expect(usedIn(workflow)).not.toEqual([]);
  expect(unpinnedIn(workflow)).toEqual([]);
});
