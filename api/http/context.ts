/** What the API needs of the process that serves it. */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Pool } from '../../db/core/pool.ts';
import type { LookupTimings } from '../../domain/lookup-schedule.ts';
import type { Rail } from '../../rail/rail.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';

export interface ApiContext {
  readonly pool: Pool;
  readonly temporal: Client;
  /** The adapters of this installation, by name. */
  readonly rails: ReadonlyMap<string, Rail>;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
  readonly config: ApiConfig;
}

/** The part of the configuration that the API and the hosted page read. */
interface ApiConfig {
  readonly api: { readonly publicUrl: string };
  readonly database: { readonly url: string };
  readonly secrets: { readonly apiKeyPepper: string };
  readonly checkout: {
    readonly lifetimeSeconds: number;
    readonly maxAttempts: number;
    readonly timings: LookupTimings;
  };
  /** Development: webhook endpoints may be on this machine. */
  readonly webhooks: { readonly allowLoopback: boolean };
}
