/** `GET /pay/:pageToken/events`: the view, now and after every change, until it can no longer change. */
import type { Response } from 'express';
import type { Changes } from '../../../db/core/changes.ts';
import type { Session } from '../../../db/session/read/find-session.ts';
import { isFinal } from '../../../domain/session/session.ts';
import { HEARTBEAT, HEARTBEAT_MS } from '../../document/heartbeat.ts';
import type { PageView } from '../../document/view.ts';
import { answerError } from '../answer.ts';
import type { PageContext } from '../context.ts';
import { addressOf } from '../limits.ts';
import { type Loaded, load, type SessionRequest } from '../load.ts';

/** Interval of reads while no notification arrives. */
const IDLE_MS = 15_000;
const STREAMS_PER_SESSION = 20;
/** Limit per process, because streams occupy its connections. A rejected page polls `/state`. */
const STREAMS_PER_ADDRESS = 50;

export function streamState(context: PageContext, changes: Changes) {
  const ofSession = countOpen(STREAMS_PER_SESSION);
  const ofAddress = countOpen(STREAMS_PER_ADDRESS);

  return async (req: SessionRequest, res: Response) => {
    const loaded = await load(context, req);
    if (!loaded) return answerError(res, 'session_not_found');
    const { id } = loaded.session;
    const address = addressOf(req);
    if (ofSession.isFull(id) || ofAddress.isFull(address)) return answerError(res, 'too_many_streams');
    ofSession.open(id, res);
    ofAddress.open(address, res);
    stream(res, changes, loaded, async () => {
      const again = await load(context, req);
      if (!again) throw new Error('the session no longer exists');
      return again;
    });
  };
}

/** Counts and limits open streams by key. */
function countOpen(most: number) {
  const open = new Map<string, number>();
  return {
    isFull: (key: string) => (open.get(key) ?? 0) >= most,
    open(key: string, res: Response): void {
      open.set(key, (open.get(key) ?? 0) + 1);
      res.on('close', () => {
        const left = (open.get(key) ?? 1) - 1;
        if (left === 0) open.delete(key);
        else open.set(key, left);
      });
    },
  };
}

function stream(res: Response, changes: Changes, first: Loaded, read: () => Promise<Loaded>): void {
  res.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  res.flushHeaders();
  res.write('retry: 2000\n\n');

  let last = '';
  let timer: NodeJS.Timeout | undefined;
  let reading = false;
  let again = false;
  const unsubscribe = changes.subscribe(first.session.id, () => void refresh());
  const heartbeat = setInterval(() => res.write(`event: ${HEARTBEAT}\ndata:\n\n`), HEARTBEAT_MS);
  res.on('close', () => {
    unsubscribe();
    clearInterval(heartbeat);
    clearTimeout(timer);
  });
  // The session may have changed between the first read and the subscription.
  void refresh();

  async function refresh(): Promise<void> {
    again = reading;
    if (reading || res.writableEnded || res.destroyed) return;
    reading = true;
    clearTimeout(timer);
    try {
      const { session, view } = await read();
      send(view);
      if (isFinal(view.state) && (view.redirect?.ready ?? true)) res.end();
      else timer = setTimeout(() => void refresh(), againInMs(session, view));
    } catch {
      // End the stream: the browser reconnects by itself and polls `/state` until then.
      res.end();
    } finally {
      reading = false;
    }
    if (again) void refresh();
  }

  function send(view: PageView): void {
    const { serverTime, ...state } = view;
    const now = JSON.stringify(state);
    if (now !== last) res.write(`event: state\ndata: ${JSON.stringify({ ...state, serverTime })}\n\n`);
    last = now;
  }
}

/** Returns the delay before the next read: some changes happen by time alone, without a notification. */
function againInMs({ ms_to_expiry: msToExpiry }: Session, view: PageView): number {
  if (isFinal(view.state)) return 300;
  if (view.claimOpenUntil) return 1_000;
  if (msToExpiry <= 0) return view.state === 'created' ? 500 : IDLE_MS;
  return Math.min(IDLE_MS, msToExpiry + 100);
}
