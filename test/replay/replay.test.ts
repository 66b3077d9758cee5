import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { HISTORIES, replay } from '../support/temporal/replay.ts';

interface History {
  readonly events: readonly { readonly eventType: string }[];
}

const files = (await readdir(HISTORIES)).filter((file) => file.endsWith('.json'));
const saved = await Promise.all(
  files.map(async (workflowId) => {
    const history: History = JSON.parse(await readFile(`${HISTORIES}${workflowId}`, 'utf8'));
    return { workflowId, history };
  }),
);
/** Replaying a history without a completed task never ends. */
const replayable = saved.filter(({ history }) =>
  history.events.some(({ eventType }) => eventType === 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED'),
);

let differences: ReadonlyMap<string, Error>;
// One worker for all, because a worker for each took a second each.
beforeAll(async () => {
  differences = await replay(replayable);
});

test('there are saved histories, and each contains a task', () => {
  expect(files.length).toBeGreaterThan(10);
  expect(replayable).toEqual(saved);
});

test.each(files)('%s replays with the current workflow code', (file) => {
  expect(differences.get(file)).toBeUndefined();
});
