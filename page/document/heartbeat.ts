/** Event of the page's stream that only shows that the stream is alive. */
export const HEARTBEAT = 'heartbeat';

/** Also keeps proxies from closing a stream that is idle for longer. */
export const HEARTBEAT_MS = 5_000;
