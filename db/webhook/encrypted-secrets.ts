/** The encrypted secrets with which an endpoint's events are signed. */
import { z } from 'zod';
import { sql } from '../core/pool.ts';

export const sealedSecrets = {
  secret: z.instanceof(Buffer),
  /** The previous secret, while both secrets sign after a rotation. */
  previous_secret: z.instanceof(Buffer).nullable(),
};

/** Selects the secrets of a row of `webhook_endpoints` that sign at an instant. */
export const secretsAt = (at: ReturnType<typeof sql.fragment>) => sql.fragment`
  secret, case when previous_secret_until > ${at} then previous_secret end as previous_secret`;
