/** The stream's event that only shows that the stream is alive. */
export const HEARTBEAT = 'heartbeat';

/** Short enough that proxies do not close the stream as idle. */
export const HEARTBEAT_MS = 5_000;
