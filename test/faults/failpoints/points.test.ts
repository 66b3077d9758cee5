/** @reads workflows */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createActivities } from '../../../activities/index.ts';
import { beforeActivity, beforeCall, FLOWS, pointsOf } from './points.ts';

const WORKFLOWS = join(import.meta.dirname, '../../../workflows');
/** They read only, or have no part in a charge or refund: a kill there equals one before the next step. */
const WITHOUT_A_POINT = new Set([
  'loadCheckout',
  'loadSubscription',
  'loadRefund',
  'loadResolveRequest',
  'answerResolveRequest',
  'recordChallengeReturned',
  'requestCancel',
  'expireCheckout',
  'giveUpSubscription',
  'cancelAsRequested',
  'endAttempt',
  'lookUpRefund',
  'tellSubscription',
  'resolveCheckout',
  'resolveSubscription',
  'resolveRefund',
]);

/** `database.x(`, `rail.x(` and `railWithinTask.x(` in the workflows of a purchase, a renewal and a refund. */
function activitiesOf(folder: string): readonly string[] {
  return readdirSync(join(WORKFLOWS, folder)).flatMap((file) => {
    const code = readFileSync(join(WORKFLOWS, folder, file), 'utf8');
    return [...code.matchAll(/\b(?:database|rail|railWithinTask)\.(\w+)\(/g)].map(([, name]) => name ?? '');
  });
}

test.each([
  ['purchase', 'session'],
  ['renewal', 'subscription'],
  ['refund', 'refund'],
] as const)('each step of a %s has failpoints', (flow, folder) => {
  const points = FLOWS.flatMap(pointsOf);
  const called = activitiesOf(folder).filter((name) => !WITHOUT_A_POINT.has(name));
  expect(called.length).toBeGreaterThan(1);
  expect(called.filter((name) => !points.includes(beforeActivity(name)))).toEqual([]);
  expect(pointsOf(flow).length).toBeGreaterThan(called.length);
});

test('each failpoint stands at an activity, a call or a message that exists', () => {
  const deps = { rails: new Map(), webhooks: {} } as unknown as Parameters<typeof createActivities>[0];
  const known = Object.keys(createActivities(deps));
  const calls = ['authorize', 'lookup', 'chargeStored', 'lookupRefund', 'refund'].map(beforeCall);
  const of = FLOWS.flatMap(pointsOf).filter((point) => point.endsWith(' begins'));
  expect(of.filter((point) => !known.some((name) => point === beforeActivity(name)))).toEqual([]);
  expect(calls.filter((point) => !FLOWS.flatMap(pointsOf).includes(point))).toEqual([]);
});
