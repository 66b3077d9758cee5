/** The received events, as JSON for scripts and as server-sent events for the shop's pages. */
import express, { type RequestHandler } from 'express';
import { type BehaviourSwitch, behaviour } from '../core/behaviour.ts';
import type { ReceivedEvent, ReceivedEvents } from '../core/received-events.ts';

const REPLAYED = 50;
const HEARTBEAT_MS = 15_000;

/** GET /events: every verified delivery, in order of arrival. */
export function listEvents(events: ReceivedEvents): RequestHandler {
  return (_request, response) => void response.json(events.all());
}

/** GET /events/stream: the latest deliveries, then each as it arrives. */
export function streamEvents(events: ReceivedEvents): RequestHandler {
  return (_request, response) => {
    response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    const send = (event: ReceivedEvent) => response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.write('retry: 1000\n\n');
    for (const event of events.all().slice(-REPLAYED)) send(event);
    response.write('event: caught-up\ndata: {}\n\n');
    const unsubscribe = events.subscribe(send);
    const heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS);
    response.once('close', () => {
      clearInterval(heartbeat);
      unsubscribe();
    });
  };
}

/** POST /events/behaviour, from the loopback address only: makes the receiver fail, for tests. */
export function setBehaviour(behaviourSwitch: BehaviourSwitch): readonly RequestHandler[] {
  const set: RequestHandler = (request, response) => {
    if (!isLoopback(request.socket.remoteAddress))
      return void response.status(403).json({ error: 'loopback_only' });
    const asked = behaviour.safeParse(request.body ?? {});
    if (!asked.success) return void response.status(400).json({ error: 'invalid_behaviour' });
    behaviourSwitch.set(asked.data);
    response.json(asked.data);
  };
  return [express.json(), set];
}

function isLoopback(address: string | undefined): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address ?? '');
}
