/** An operator in Temporal UI holds the events of an endpoint for a while, and sends one of them again. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import {
  DELIVER_EVENTS_WORKFLOW,
  deliverEventsStart,
  pauseUpdate,
  redeliverUpdate,
  resumeUpdate,
} from '../../../../workflows/webhook/endpoint-messages.ts';
import type { Random } from '../core/random.ts';
import { askAsOwner } from '../people/as-owner.ts';
import type { Place } from '../place/place.ts';
import type { Blow, Victims } from './blow.ts';

const TYPED = { operator: 'fault harness', reason: 'a rehearsal' };
/** How long the endpoint stays paused; events of purchases wait for its end. */
const PAUSED_MS = [4_000, 9_000] as const;
/** Longer than the sweep takes to replace a run that is ahead of its history after a restore of Temporal. */
const WITHIN_MS = 240_000;
const UPDATE_WITHIN_MS = 30_000;
const BETWEEN_TRIES_MS = 1_000;

export function blowsInTemporalUi(victims: Victims): readonly Blow[] {
  return [{ kind: 'an operator works in Temporal UI', strike: (random) => holdEvents(victims, random) }];
}

async function holdEvents(victims: Victims, random: Random): Promise<string> {
  const { client, place } = victims;
  const eventId = await anEvent(victims, random);
  const heldMs = random.between(...PAUSED_MS);
  try {
    await update(client, place, pauseUpdate, TYPED);
    await Promise.all([pause(heldMs), update(client, place, redeliverUpdate, { ...TYPED, eventId })]);
  } finally {
    await update(client, place, resumeUpdate, TYPED);
  }
  return `for ${heldMs} ms, and ${eventId} is sent again`;
}

/** An event in the endpoint's log; its owner sends a test event for this. */
async function anEvent(desk: Victims, random: Random): Promise<string> {
  await askAsOwner(desk, 'POST', `/webhook-endpoints/${desk.place.merchant.endpointId}/test`);
  const { body } = await askAsOwner(desk, 'GET', '/webhook-events');
  return random.pick<{ id: string }>(body.data).id;
}

/**
 * Repeated under one id, so that a repeat joins the first one: a worker may die in between. Starts the
 * endpoint's run if there is none, as its next event would.
 */
async function update<Answer, Command>(
  client: Client,
  { merchant }: Place,
  definition: UpdateDefinition<Answer, [Command]>,
  command: Command,
): Promise<Answer> {
  const { id: merchantId, endpointId } = merchant;
  const start = deliverEventsStart({ endpointId, merchantId, environment: 'sandbox' });
  const updateId = randomUUID();
  const send = () =>
    client.workflow.executeUpdateWithStart(definition, {
      args: [command],
      updateId,
      startWorkflowOperation: new WithStartWorkflowOperation(DELIVER_EVENTS_WORKFLOW, start),
    });
  for (const end = performance.now() + WITHIN_MS; ; await pause(BETWEEN_TRIES_MS)) {
    try {
      return await client.withDeadline(Date.now() + UPDATE_WITHIN_MS, send);
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}
