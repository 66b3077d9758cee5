/** The dependencies that the process passes to the API. */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { OperatorLinks } from '../../contract/operations/incidents.ts';
import type { Pool } from '../../db/core/pool.ts';
import type { SecretBox } from '../../platform/secrets/encryption.ts';
import type { Rail } from '../../rail/rail.ts';
import type { SessionRunOptions } from '../../workflows/session/session-start.ts';
import type { RateLimits } from './rate-limit.ts';

export interface ApiContext {
  readonly pool: Pool;
  /** For requests with a test key, and people's reads of the sandbox. Default: `pool`. */
  readonly sandboxPool?: Pool;
  /** For lists, searches and exports; its data may lag behind. Default: `pool`. */
  readonly readerPool?: Pool;
  /** For lists of requests on `sandboxPool`. Default: that pool. */
  readonly sandboxReaderPool?: Pool;
  readonly temporal: Client;
  /** The installation's adapters by name. */
  readonly rails: ReadonlyMap<string, Rail>;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
  readonly config: ApiConfig;
  readonly rateLimits?: RateLimits;
}

/** The configuration that the API and the hosted page read. */
interface ApiConfig {
  readonly api: { readonly publicUrl: string };
  /** `directUrl` bypasses a pooler in transaction mode, which does not forward notifications. */
  readonly database: { readonly url: string; readonly directUrl?: string };
  readonly secrets: { readonly apiKeyPepper: string };
  readonly session: SessionRunOptions & {
    readonly lifetimeSeconds: number;
    readonly maxAttempts: number;
  };
  readonly operator: { readonly links: OperatorLinks; readonly secondPersonAbove: number | null };
  /** Development: allows webhook endpoints on this machine. */
  readonly webhooks: { readonly allowLoopback: boolean; readonly egressProxy?: string | undefined };
}
