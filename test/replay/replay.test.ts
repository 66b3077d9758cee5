import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { HISTORIES, replayAll } from '../support/replay.ts';

interface History {
  readonly events: readonly { readonly eventType: string }[];
}

const files = (await readdir(HISTORIES)).filter((file) => file.endsWith('.json'));

it('has histories to replay', () => {
  expect(files.length).toBeGreaterThan(10);
});

it.each(files)('%s is replayed by the workflow code of today', async (file) => {
  const history: History = JSON.parse(await readFile(`${HISTORIES}${file}`, 'utf8'));
  expect(history.events.map(({ eventType }) => eventType)).toContain('EVENT_TYPE_WORKFLOW_TASK_COMPLETED');
  await replayAll([{ workflowId: file.replace(/\.json$/, ''), history }]);
});
