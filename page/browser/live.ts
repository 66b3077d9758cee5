/** Keeps the view current: server-sent events, and polling while the stream is down. */
import type { PageView } from '../document/view.ts';
import { getState, urlOf } from './net.ts';

export type Connection = 'live' | 'interrupted' | 'offline';

export interface Live {
  /** Polls now: the page was hidden, or comes from the back/forward cache. */
  refresh(): void;
  stop(): void;
}

const POLL_MS = 2_500;
const REOPEN_MS = 4_000;

export function follow(
  onView: (view: PageView) => void,
  onConnection: (connection: Connection) => void,
): Live {
  let source: EventSource | undefined;
  let stopped = false;
  let poll: ReturnType<typeof setTimeout> | undefined;
  let reopen: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    clearTimeout(reopen);
    source?.close();
    source = new EventSource(urlOf('events'));
    source.addEventListener('open', () => {
      clearTimeout(poll);
      onConnection('live');
    });
    source.addEventListener('state', (event) => onView(JSON.parse((event as MessageEvent<string>).data)));
    source.addEventListener('error', () => {
      if (stopped) return;
      // An error response closes the source for good; after a lost connection the browser reconnects.
      if (source?.readyState === EventSource.CLOSED) reopen = setTimeout(open, REOPEN_MS);
      clearTimeout(poll);
      poll = setTimeout(ask, 300);
    });
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
    if (source?.readyState !== EventSource.OPEN) poll = setTimeout(ask, POLL_MS);
  }

  const offline = () => onConnection('offline');
  const online = () => {
    void ask();
    if (source?.readyState !== EventSource.OPEN) open();
  };
  addEventListener('offline', offline);
  addEventListener('online', online);
  open();

  return {
    refresh() {
      if (stopped) return;
      void ask();
      if (source?.readyState === EventSource.CLOSED) open();
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
