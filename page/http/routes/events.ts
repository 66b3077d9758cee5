import type { Response } from 'express';
import type { Changes } from '../../../db/core/changes.ts';
import type { Session } from '../../../db/session/find-session.ts';
import { isFinal } from '../../../domain/session.ts';
import type { PageView } from '../../document/view.ts';
import type { PageContext } from '../context.ts';
import { type Loaded, load, type SessionRequest } from '../load.ts';
import { answerError } from './answer.ts';

/** Heartbeat: proxies close connections that are silent for longer. */
const IDLE_MS = 15_000;
const STREAMS_PER_SESSION = 20;

/** `GET /pay/:pageToken/events`: the view, now and after every change, until it can no longer change. */
export function events(context: PageContext, changes: Changes) {
  const open = new Map<string, number>();

  return async (req: SessionRequest, res: Response) => {
    const loaded = await load(context, req);
    if (!loaded) return answerError(res, 'session_not_found');
    const { id } = loaded.session;
    const streams = open.get(id) ?? 0;
    if (streams >= STREAMS_PER_SESSION) return answerError(res, 'too_many_streams');
    open.set(id, streams + 1);
    res.on('close', () => {
      const left = (open.get(id) ?? 1) - 1;
      if (left === 0) open.delete(id);
      else open.set(id, left);
    });
    stream(res, changes, loaded, async () => {
      const again = await load(context, req);
      if (!again) throw new Error('the session is gone');
      return again;
    });
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
  res.on('close', () => {
    unsubscribe();
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
      // The browser reconnects by itself and polls `/state` meanwhile.
      res.end();
    } finally {
      reading = false;
    }
    if (again) void refresh();
  }

  function send(view: PageView): void {
    const { serverTime, ...told } = view;
    const now = JSON.stringify(told);
    if (now === last) res.write(': still here\n\n');
    else res.write(`event: state\ndata: ${JSON.stringify({ ...told, serverTime })}\n\n`);
    last = now;
  }
}

/** Some changes come with time alone, without a notification. */
function againInMs({ ms_to_expiry: msToExpiry }: Session, view: PageView): number {
  if (isFinal(view.state)) return 300;
  if (view.claimOpenUntil) return 1_000;
  if (msToExpiry <= 0) return view.state === 'created' ? 500 : IDLE_MS;
  return Math.min(IDLE_MS, msToExpiry + 100);
}
