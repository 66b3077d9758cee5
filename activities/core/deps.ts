/** The dependencies of activities, which read nothing from the environment. */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Pool } from '../../db/core/pool.ts';
import type { Retention } from '../../domain/core/retention.ts';
import type { DeclineLimits } from '../../domain/session/card-testing.ts';
import type { SecretBox } from '../../platform/secrets/encryption.ts';
import type { Rail } from '../../rail/rail.ts';
import type { SessionRunOptions } from '../../workflows/session/session-start.ts';
import type { PageAddresses } from './subject-links.ts';
import type { WebhookSettings } from './webhook-settings.ts';

export interface ActivityDeps {
  readonly pool: Pool;
  /** A separate pool for deliveries, so that busy endpoints never delay a payment; defaults to `pool`. */
  readonly deliveryPool?: Pool;
  /** For LISTEN connections, outside the pool. */
  readonly databaseUrl: string;
  readonly client: Client;
  readonly rails: ReadonlyMap<string, Rail>;
  readonly secretBox: SecretBox;
  readonly apiKeyPepper: string;
  readonly logger: Logger;
  readonly session: SessionRunOptions & {
    readonly railCallTimeoutSeconds: number;
    readonly challengeSeconds: number;
    /** Maximum number of attempts of a payment link. */
    readonly maxAttempts: number;
    /** How long a workflow task waits for the rail's answer to a charge; default 1 s. */
    readonly withinTaskMs?: number | undefined;
  };
  readonly billing: {
    /** Days after the due instant on which a failed charge is retried; the last retry ends dunning. */
    readonly dunningLadderDays: readonly number[];
  };
  /**
   * Amount in cents above which a request typed in Temporal UI settles nothing. If absent, one person always suffices.
   */
  readonly secondPersonAbove?: number | null | undefined;
  /** Default: `DECLINE_LIMITS`. */
  readonly declines?: DeclineLimits;
  readonly webhooks: WebhookSettings;
  /** Default: `DEFAULT_RETENTION`. */
  readonly retention?: Retention;
  /** If absent, views that need an operator contain no links. */
  readonly pages?: PageAddresses;
  /** Where the rail redirects the frame after the challenge. */
  readonly challengeReturnUrl: (pageToken: string) => string;
}
