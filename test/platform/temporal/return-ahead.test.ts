/** The run of a return that is ahead of a restored history, by its newest events (rule 45). */
import { expect, test } from '@jest/globals';
import type { Events } from '../../../platform/temporal/newest-events.ts';
import { isReturnAhead } from '../../../platform/temporal/return-ahead.ts';

const KINDS = {
  task: ['workflowTaskScheduled', 'workflowTaskStarted', 'workflowTaskCompleted'],
  ask: ['activityTaskScheduled'],
  answer: ['activityTaskStarted', 'activityTaskCompleted'],
  noAnswer: ['activityTaskStarted', 'activityTaskFailed'],
  timedOut: ['activityTaskTimedOut'],
  sleep: ['timerStarted'],
  fire: ['timerFired'],
  signal: ['workflowExecutionSignaled'],
  toDo: ['workflowTaskScheduled'],
  note: ['markerRecorded', 'upsertWorkflowSearchAttributes'],
} as const;

/** @param told oldest first */
function newestFirst(told: readonly (keyof typeof KINDS)[]): Events {
  const names = told.flatMap((each) => [...KINDS[each]]);
  return names.map((name) => ({ [`${name}EventAttributes`]: {} })).reverse();
}

const ROUND = ['task', 'ask', 'answer', 'task', 'note', 'sleep'] as const;

test.each([
  ['sleeps after it has asked', ROUND],
  ['sleeps after the rail has not answered', ['fire', 'task', 'ask', 'noAnswer', 'task', 'sleep']],
  ['has just been woken', [...ROUND, 'fire', 'toDo']],
  ['has just asked', [...ROUND, 'fire', 'task', 'ask']],
  ['has asked because of a signal', [...ROUND, 'signal', 'task', 'ask', 'answer', 'task', 'sleep']],
  [
    'has heard a signal while it asked',
    ['ask', 'signal', 'task', 'answer', 'task', 'ask', 'answer', 'task', 'sleep'],
  ],
  ['has only begun', ['task']],
] as const)('a run that %s is healthy', (_, told) => {
  expect(isReturnAhead(newestFirst(told))).toBe(false);
});

test.each([
  ['repeats its timer', [...ROUND, 'fire', 'task', 'sleep']],
  ['does nothing after its timer', [...ROUND, 'fire', 'task']],
  ['only leaves notes after its timer', [...ROUND, 'fire', 'task', 'note']],
  ['does nothing after a signal', [...ROUND, 'signal', 'task']],
  ['repeats its timer after a signal', [...ROUND, 'signal', 'task', 'sleep']],
  ['does nothing with an answer', ['fire', 'task', 'ask', 'answer', 'task']],
  ['does nothing with a time-out', ['fire', 'task', 'ask', 'timedOut', 'task']],
] as const)('a run that %s is ahead of its history', (_, told) => {
  expect(isReturnAhead(newestFirst(told))).toBe(true);
});
