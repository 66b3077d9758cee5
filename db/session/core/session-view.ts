/** A session as its workflow sees it, by the database's clock. */
import { z } from 'zod';
import { PAYMENT_STATUSES } from '../../../domain/payment/payment.ts';
import { METHOD_TYPES, settlesInDays } from '../../../domain/payment/payment-method.ts';
import {
  SESSION_FAILURE_REASONS,
  SESSION_STATES,
  type SessionView,
} from '../../../domain/session/session.ts';
import { camelCased, type Db, sql } from '../../core/pool.ts';
import { rowOrNotFound } from '../../core/row-not-found.ts';
import { OPEN_STATUSES } from '../../payment/open-payment.ts';
import type { LockedSession } from './session-row.ts';

const row = camelCased({
  checkout_id: z.string(),
  state: z.enum(SESSION_STATES),
  version: z.number(),
  failure_reason: z.enum(SESSION_FAILURE_REASONS).nullable(),
  attempts: z.number(),
  max_attempts: z.number(),
  expires_at: z.string(),
  ms_to_expiry: z.number(),
  cancel_requested: z.boolean(),
  open_attempt: z
    .object({
      attemptId: z.string(),
      status: z.enum(PAYMENT_STATUSES),
      called: z.boolean(),
      cancelRequested: z.boolean(),
      msToChallengeEnd: z.number().nullable(),
      methodType: z.enum(METHOD_TYPES).nullable(),
    })
    .transform(({ methodType, ...attempt }) => ({
      ...attempt,
      settlesInDays: methodType !== null && settlesInDays(methodType),
    }))
    .nullable(),
});

/** Returns the view of a session that the caller's transaction has ended, without a query. */
export function viewOfEnded(session: LockedSession): SessionView {
  return {
    checkoutId: session.id,
    state: session.state,
    version: session.version,
    failureReason: session.failure_reason,
    attempts: session.attempts,
    maxAttempts: session.max_attempts,
    expiresAt: session.expires_at,
    msToExpiry: session.ms_to_expiry,
    cancelRequested: session.cancel_requested,
    openAttempt: null,
  };
}

/** @throws RowNotFound */
export async function loadSessionView(db: Db, checkoutId: string): Promise<SessionView> {
  const view = await db.maybeOne(sql.type(row)`
    select c.id as checkout_id, c.state, c.version, c.failure_reason, c.max_attempts, c.expires_at,
      (select count(*) from payments where checkout_id = c.id) as attempts,
      ms_to_expiry(c.expires_at) as ms_to_expiry,
      c.cancel_requested_at is not null as cancel_requested,
      case when p.id is not null then jsonb_build_object('attemptId', p.id, 'status', p.status,
        'called', p.call_started_at is not null, 'cancelRequested', p.cancel_requested_at is not null,
        'msToChallengeEnd', ms_between(clock.now, p.challenge_expires_at),
        'methodType', p.payment_method ->> 'type') end as open_attempt
    from checkouts c
    cross join (select service_clock() as now) as clock
    left join payments p on p.checkout_id = c.id and p.status in ${OPEN_STATUSES}
    where c.id = ${checkoutId}
  `);
  return rowOrNotFound(view, checkoutId);
}
