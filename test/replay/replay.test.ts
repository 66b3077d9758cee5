import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { HISTORIES, replayAll } from '../support/replay.ts';

const files = (await readdir(HISTORIES)).filter((file) => file.endsWith('.json'));

it('has histories to replay', () => {
  expect(files.length).toBeGreaterThan(10);
});

it.each(files)('%s is replayed by the workflow code of today', async (file) => {
  const history: unknown = JSON.parse(await readFile(`${HISTORIES}${file}`, 'utf8'));
  await replayAll([{ workflowId: file.replace(/\.json$/, ''), history }]);
});
