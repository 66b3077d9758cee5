/**
 * `config.webhooks` of bin/config/read.ts, with overrides for tests and benches. In `core/` because the dependencies of
 * all activities contain them, and `core/` imports no subject.
 */
export interface WebhookSettings {
  /** The wait before each attempt; the first is 0. */
  readonly scheduleSeconds: readonly number[];
  /** 0.1 lengthens each wait by a random 0 to 10 %. */
  readonly jitter: number;
  /** Time-out of a whole attempt. */
  readonly timeoutSeconds: number;
  /** Development: allows endpoints on this machine, and plain HTTP. */
  readonly allowLoopback: boolean;
  /** How long a drain continues to wait after its last delivery; default 5 s. */
  readonly idleSeconds?: number | undefined;
  /** Forward proxy for all deliveries. */
  readonly egressProxy?: string | undefined;
  /** Additional certificate authorities, PEM. */
  readonly ca?: string | undefined;
  /** `host:port` of name servers; defaults to the system's. */
  readonly nameServers?: readonly string[] | undefined;
}
