/** `config.webhooks` of bin/config.ts, and what tests and benches may set besides. */
export interface WebhookSettings {
  /** The wait before each attempt; the first is 0. */
  readonly scheduleSeconds: readonly number[];
  /** 0.1: each wait is lengthened by a random 0 to 10 %. */
  readonly jitter: number;
  /** For one attempt, everything together. */
  readonly timeoutSeconds: number;
  /** Development: endpoints on this machine, over plain HTTP too. */
  readonly allowLoopback: boolean;
  /** How long an endpoint stays awake after its last delivery; 5. */
  readonly lingerSeconds?: number | undefined;
  /** A forward proxy for everything that is sent. */
  readonly egressProxy?: string | undefined;
  /** Further certificate authorities, PEM. */
  readonly ca?: string | undefined;
  /** `host:port` of name servers instead of the system's. */
  readonly nameServers?: readonly string[] | undefined;
}
