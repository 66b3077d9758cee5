/**
 * Keeps the view current by server-sent events, and by polling unless the stream proves that it works: proxies and dead
 * connections can hold a stream open without an error.
 */
import { HEARTBEAT, HEARTBEAT_MS } from '../../document/heartbeat.ts';
import type { PageView } from '../../document/view.ts';
import { getState, urlOf } from './net.ts';

export type Connection = 'live' | 'interrupted' | 'offline';

export interface Live {
  /** Polls now, after the page was hidden, or taken from the back/forward cache. */
  refresh(): void;
  stop(): void;
}

const POLL_MS = 2_500;
const REOPEN_MS = 4_000;
/** A stream without an event for this long is replaced. */
const SILENT_MS = 2 * HEARTBEAT_MS + 1_000;

export function follow(
  onView: (view: PageView) => void,
  onConnection: (connection: Connection) => void,
): Live {
  let source: EventSource | undefined;
  /** True if the latest stream has sent an event and has not been silent since. */
  let streaming = false;
  let stopped = false;
  let poll: ReturnType<typeof setTimeout> | undefined;
  let reopen: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    source?.close();
    const opened = new EventSource(urlOf('events'));
    source = opened;
    opened.addEventListener('state', (event) => {
      onEvent();
      onView(JSON.parse((event as MessageEvent<string>).data));
    });
    opened.addEventListener(HEARTBEAT, onEvent);
    opened.addEventListener('error', () => {
      if (stopped) return;
      // After an error response the browser closes the source for good; after a lost connection it reconnects.
      const closed = opened.readyState === EventSource.CLOSED;
      pollInstead(300, closed ? REOPEN_MS : SILENT_MS);
    });
    pollInstead(POLL_MS, SILENT_MS);
  }

  function onEvent(): void {
    streaming = true;
    clearTimeout(poll);
    replaceAfter(SILENT_MS);
    onConnection('live');
  }

  function pollInstead(pollMs: number, reopenMs: number): void {
    streaming = false;
    pollAfter(pollMs);
    replaceAfter(reopenMs);
  }

  function pollAfter(ms: number): void {
    clearTimeout(poll);
    poll = setTimeout(ask, ms);
  }

  function replaceAfter(ms: number): void {
    clearTimeout(reopen);
    reopen = setTimeout(open, ms);
  }

  async function ask(): Promise<void> {
    clearTimeout(poll);
    const answer = await getState();
    if (stopped) return;
    if (answer.kind === 'view') {
      onView(answer.view);
      onConnection('live');
    } else {
      onConnection(navigator.onLine ? 'interrupted' : 'offline');
    }
    if (!streaming && !stopped) pollAfter(POLL_MS);
  }

  const offline = () => onConnection('offline');
  const online = () => {
    void ask();
    open();
  };
  addEventListener('offline', offline);
  addEventListener('online', online);
  open();

  return {
    refresh() {
      if (stopped) return;
      void ask();
      if (!streaming) open();
    },
    stop() {
      stopped = true;
      source?.close();
      clearTimeout(poll);
      clearTimeout(reopen);
      removeEventListener('offline', offline);
      removeEventListener('online', online);
    },
  };
}
