/** Ends a session that is not a paid purchase, in the caller's transaction; audits an operator's decision. */
import type { ResolveCommand } from '../../domain/core/resolution.ts';
import type { SessionFailureReason, SessionState } from '../../domain/session/session.ts';
import { writeAudit } from '../core/audit.ts';
import { sql, type Transaction } from '../core/pool.ts';
import type { LockedPayment } from '../payment/payment-row.ts';
import { endMethodChange } from './close-method-change.ts';
import { type LockedSession, transitionSession } from './core/session-row.ts';
import { endByLink, settleByLink } from './pay-by-link.ts';

/** @param payment the attempt whose outcome ends the session, already updated; null if it ends without an open one */
export async function closeSession(
  tx: Transaction,
  session: LockedSession,
  to: SessionState,
  failureReason: SessionFailureReason | null,
  payment: LockedPayment | null,
): Promise<LockedSession> {
  if (session.invoice_id) {
    if (to === 'succeeded' && payment) await settleByLink(tx, session, payment);
    else await endByLink(tx, session);
    return transitionSession(tx, session, to, { failureReason });
  }
  if (session.subscription_id) {
    const end = await endMethodChange(tx, session, session.subscription_id, to, failureReason, payment);
    return transitionSession(tx, session, end.state, { failureReason: end.failureReason });
  }
  await tx.query(sql.typeAlias('void')`
    update orders set status = ${failureReason === 'cancelled' ? 'cancelled' : 'failed'}, updated_at = service_clock()
    where checkout_id = ${session.id}
  `);
  await tx.query(sql.typeAlias('void')`
    update subscriptions set status = 'expired', version = version + 1, updated_at = service_clock()
    where checkout_id = ${session.id}
  `);
  return transitionSession(tx, session, to, { failureReason });
}

export function isPurchase(session: LockedSession): boolean {
  return session.subscription_id === null;
}

export async function auditResolution(
  tx: Transaction,
  session: LockedSession,
  request: ResolveCommand,
  state: LockedSession['state'],
): Promise<void> {
  await writeAudit(tx, {
    merchantId: session.merchant_id,
    environment: session.environment,
    actor: request.operator,
    action: 'checkout.resolve',
    subjectId: session.id,
    before: { state: session.state, version: session.version },
    after: { state, asked: request.outcome, reason: request.reason, evidence: request.evidence },
  });
}
