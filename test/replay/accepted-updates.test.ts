/**
 * Updates that earlier releases accepted and today's parsers refuse: their runs replay, because a replay repeats what
 * was accepted without asking a validator.
 */
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { HISTORIES, replay } from '../support/temporal/replay.ts';

interface Payload {
  data: string;
}
interface History {
  readonly events: readonly {
    readonly workflowExecutionUpdateAcceptedEventAttributes?: {
      readonly acceptedRequest: {
        readonly input: { readonly name: string; readonly args: { readonly payloads: readonly Payload[] } };
      };
    };
  }[];
}

const ONCE_ACCEPTED = [
  ['subscription-first-advance-run-1', 'advanceClock', { to: '0000-01-01T00:00:00Z' }],
  ['subscription-resolved', 'resolve', { reason: 'half a pair: \ud800' }],
  ['checkout-first-resolve', 'resolve', { evidence: 'half a pair: \ud800' }],
  ['deliver-events-redelivered', 'redeliver', { operator: 'ends\0here' }],
] as const;

async function historyWith(file: string, update: string, fields: object): Promise<History> {
  const history: History = JSON.parse(await readFile(`${HISTORIES}${file}.json`, 'utf8'));
  const accepted = history.events.flatMap(
    ({ workflowExecutionUpdateAcceptedEventAttributes: event }) => event?.acceptedRequest.input ?? [],
  );
  const payloads = accepted.filter(({ name }) => name === update).flatMap(({ args }) => args.payloads);
  expect(payloads.length).toBeGreaterThan(0);
  for (const payload of payloads) {
    const input: object = JSON.parse(Buffer.from(payload.data, 'base64').toString());
    payload.data = Buffer.from(JSON.stringify({ ...input, ...fields })).toString('base64');
  }
  return history;
}

test('what earlier releases accepted replays', async () => {
  const histories = await Promise.all(
    ONCE_ACCEPTED.map(async ([workflowId, update, fields]) => ({
      workflowId,
      history: await historyWith(workflowId, update, fields),
    })),
  );
  expect(await replay(histories)).toEqual(new Map());
}, 60_000);
