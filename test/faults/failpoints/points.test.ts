/** @reads activities workflows */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createActivities } from '../../../activities/index.ts';
import { ACTIVITY_NAMES, CALL_NAMES, MESSAGE_NAMES } from './points.ts';

/** These activities only read: a kill there is equivalent to one before the next step. */
const READS_ONLY = new Set([
  'loadCheckout',
  'loadSubscription',
  'loadRefund',
  'readBacklog',
  'listSince',
  'listRefundsSince',
  'listDisputesSince',
  'askAccount',
]);
/** This activity runs another one, which has its own points. */
const WRAPPER = 'tryAgain';
/**
 * Activities that delete rows older than 90 days, or announce charges on request: no run of the harness needs them.
 */
const NEVER_DUE = new Set(['pruneOldEvents', 'announceCharge']);

const deps = { rails: new Map(), webhooks: {} } as unknown as Parameters<typeof createActivities>[0];
const activities = Object.keys(createActivities(deps));

test('each activity that writes or calls the rail has failpoints', () => {
  const writing = activities.filter(
    (name) => !READS_ONLY.has(name) && name !== WRAPPER && !NEVER_DUE.has(name),
  );
  expect(writing.filter((name) => !ACTIVITY_NAMES.includes(name))).toEqual([]);
});

test('each failpoint belongs to an existing activity and to one flow', () => {
  expect(ACTIVITY_NAMES.filter((name) => !activities.includes(name))).toEqual([]);
  expect(new Set(ACTIVITY_NAMES).size).toBe(ACTIVITY_NAMES.length);
});

test('the workers’ calls to the rail have failpoints, except those that only read accounts and lists', () => {
  const called = new Set(namesIn('activities', /\brail\.(\w+)\(/g));
  expect([...called].filter((name) => !READS_ONLY.has(name)).toSorted()).toEqual([...CALL_NAMES].toSorted());
});

test('each workflow start, update and signal with failpoints exists', () => {
  const exported = namesIn('workflows', /^export (?:async )?(?:function|\{) ?(\w+)/gm);
  const defined = namesIn(
    'workflows',
    /\b(?:define(?:Update|Signal)|update|signal)(?:<[^;]*?>)?(?:\(\))?\(\s*'(\w+)'/g,
  );
  const known = new Set([...exported, ...defined]);
  expect(MESSAGE_NAMES.filter((message) => !known.has(message.split(' ')[1] ?? ''))).toEqual([]);
});

function namesIn(folder: string, pattern: RegExp): readonly string[] {
  const dir = join(import.meta.dirname, '../../..', folder);
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  return files.flatMap((file) =>
    [...readFileSync(join(dir, file), 'utf8').matchAll(pattern)].map(([, name]) => name ?? ''),
  );
}
