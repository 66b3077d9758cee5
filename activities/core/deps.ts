/** What activities are given; nothing in here is read from the environment. */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Pool } from '../../db/core/pool.ts';
import type { LookupTimings } from '../../domain/lookup-schedule.ts';
import type { Rail } from '../../rail/rail.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { WebhookSettings } from './webhook-settings.ts';

export interface ActivityDeps {
  readonly pool: Pool;
  /** For deliveries, so that busy endpoints never keep a payment waiting for a connection; absent: `pool`. */
  readonly deliveryPool?: Pool;
  /** For connections that listen, beside the pool. */
  readonly databaseUrl: string;
  readonly client: Client;
  readonly rails: ReadonlyMap<string, Rail>;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
  readonly checkout: {
    readonly railCallTimeoutSeconds: number;
    readonly challengeSeconds: number;
    readonly timings: LookupTimings;
  };
  readonly billing: {
    /** Days after the first failed charge on which it is tried again; the last is the end. */
    readonly dunningLadderDays: readonly number[];
  };
  readonly webhooks: WebhookSettings;
  /** Where the rail sends the challenge's frame when the challenge is over. */
  readonly challengeReturnUrl: (sessionId: string) => string;
}
