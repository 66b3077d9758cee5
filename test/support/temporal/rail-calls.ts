/** The outcome of a workflow's calls to the rail, as its history and Temporal UI show it. */
import type { WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { z } from 'zod';

/** The activities whose result is the rail's answer, or a step that contains it. */
const CALLS = new Set([
  'pay',
  'continueAttempt',
  'lookUpAttempt',
  'bill',
  'continueCharge',
  'lookUpCharge',
  'sendRefund',
  'lookUpRefund',
  'judgeAfterEnd',
  'returnCharge',
]);

/** The name of a local activity in its marker. */
const called = z.object({ activity_type: z.string() });

/** The result of each call that completed. */
export async function railCallsOf(handle: WorkflowHandle): Promise<unknown[]> {
  const events = (await handle.fetchHistory()).events ?? [];
  const isCall = (eventId: unknown) => {
    const scheduled = events.find((event) => `${event.eventId}` === `${eventId}`);
    return CALLS.has(scheduled?.activityTaskScheduledEventAttributes?.activityType?.name ?? '');
  };
  return events.flatMap(
    ({ activityTaskCompletedEventAttributes: done, markerRecordedEventAttributes: marker }) => {
      if (done && isCall(done.scheduledEventId)) return callOf(decoded(done.result?.payloads));
      const local = called.safeParse(decoded(marker?.details?.data?.payloads));
      if (marker?.failure || !CALLS.has(local.data?.activity_type ?? '')) return [];
      return callOf(decoded(marker?.details?.result?.payloads));
    },
  );
}

const step = z.object({ attemptId: z.string().nullable(), outcome: z.unknown().nullable() });

/** Extracts the rail's answer from a step. */
function callOf(result: unknown): unknown[] {
  const { data } = step.safeParse(result);
  if (!data) return [result];
  if (data.outcome !== null) return [data.outcome];
  return data.attemptId === null ? [] : [{ kind: 'unanswered' }];
}

const decoded = (payloads: Payload[] | null | undefined): unknown =>
  payloads?.[0] && defaultPayloadConverter.fromPayload(payloads[0]);
