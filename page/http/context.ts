import type { Client } from '@temporalio/client';
import type { Pool } from '../../db/core/pool.ts';
import type { LookupTimings } from '../../domain/core/lookup-schedule.ts';
import type { SecretBox } from '../../platform/secrets/encryption.ts';
import type { Rail } from '../../rail/rail.ts';

/** The hosted page's dependencies on the process that serves it. */
export interface PageContext {
  readonly pool: Pool;
  /** For sessions of the sandbox. Default: `pool`. */
  readonly sandboxPool?: Pool;
  readonly temporal: Client;
  readonly rails: ReadonlyMap<string, Rail>;
  readonly secretBox: SecretBox;
  readonly config: {
    readonly api: { readonly publicUrl: string };
    readonly database: { readonly url: string; readonly directUrl?: string };
    readonly secrets: { readonly apiKeyPepper: string };
    readonly session: { readonly timings: LookupTimings };
  };
  /** How long a request waits for the workflow before its outcome counts as unknown; default 8 s. */
  readonly updateDeadlineMs?: number;
  readonly logger: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
}
