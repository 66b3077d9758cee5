/** How a workflow's calls to the rail ended, as its history and Temporal UI show it. */
import type { WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter, type Payload, type ProtoFailure } from '@temporalio/common';
import { z } from 'zod';

const CALLS = new Set([
  'chargeAttempt',
  'chargeStored',
  'lookUpAttempt',
  'endAttempt',
  'sendRefund',
  'lookUpRefund',
  'askAfterEnd',
  'returnCharge',
]);

/** Local activities that call the rail among other things. */
const STEPS = new Set(['payWithinTask', 'billWithinTask']);

/** A local activity's name. */
const called = z.object({ activity_type: z.string() });

/** The result of each call that completed, or the failure with the result that it carries. */
export async function railCallsOf(handle: WorkflowHandle): Promise<unknown[]> {
  const events = (await handle.fetchHistory()).events ?? [];
  const isCall = (eventId: unknown) => {
    const scheduled = events.find((event) => `${event.eventId}` === `${eventId}`);
    return CALLS.has(scheduled?.activityTaskScheduledEventAttributes?.activityType?.name ?? '');
  };
  return events.flatMap(
    ({
      activityTaskCompletedEventAttributes: done,
      activityTaskFailedEventAttributes: failed,
      markerRecordedEventAttributes: marker,
    }) => {
      if (done && isCall(done.scheduledEventId)) return [decoded(done.result?.payloads)];
      if (failed && isCall(failed.scheduledEventId)) return [failureOf(failed.failure)];
      const local = called.safeParse(decoded(marker?.details?.data?.payloads));
      const result = marker?.failure ? failureOf(marker.failure) : decoded(marker?.details?.result?.payloads);
      if (local.data?.activity_type === 'chargeWithinTask') return [result];
      return STEPS.has(local.data?.activity_type ?? '') ? callOf(result) : [];
    },
  );
}

const step = z.object({ outcome: z.unknown().optional(), left: z.string().optional() });
const unanswered = z.object({ failed: z.string(), result: step });

/** The call within a step. */
function callOf(result: unknown): unknown[] {
  const failed = unanswered.safeParse(result).data;
  if (failed) return [{ failed: failed.failed, result: failed.result.outcome }];
  const { outcome, left } = step.parse(result);
  if (left === 'call') return [{ kind: 'underWay' }];
  return outcome === undefined ? [] : [outcome];
}

function failureOf(failure: ProtoFailure | null | undefined): unknown {
  const { type, details } = failure?.applicationFailureInfo ?? {};
  return { failed: type, result: decoded(details?.payloads) };
}

const decoded = (payloads: Payload[] | null | undefined): unknown =>
  payloads?.[0] && defaultPayloadConverter.fromPayload(payloads[0]);
