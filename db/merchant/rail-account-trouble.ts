/**
 * Handles accounts that their rail rejects, that are replaced, or that get other keys. Rejected credentials disable the
 * account; a misconfiguration does not. Each case sends an alert.
 */
import { z } from 'zod';
import { ENVIRONMENTS, type Scope } from '../../domain/core/environment.ts';
import { writeAudit } from '../core/audit.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { recordEvent } from '../webhook/events.ts';

const DISABLED = 'rail_account.disabled_by_rail';

const account = z.object({
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  status: z.string(),
});

/**
 * Does nothing if the account is already disabled, or got another credential after the rejected call began.
 * @param sealed the rejected credential, encrypted; defaults to the stored one
 */
export function disableRefusedAccount(pool: Pool, accountId: string, sealed?: Buffer): Promise<void> {
  const refused = sealed ? sql.fragment`credential = ${sql.binary(sealed)}` : sql.fragment`true`;
  return inTransaction(pool, async (tx) => {
    const disabled = await tx.maybeOne(sql.type(account)`
      update rail_accounts new set status = 'disabled', updated_at = service_clock()
      from (
        select id, status from rail_accounts
        where id = ${accountId} and status <> 'disabled' and ${refused} for update
      ) old
      where new.id = old.id
      returning new.merchant_id, new.environment, old.status
    `);
    if (!disabled) return;
    const { merchant_id: merchantId, environment, status } = disabled;
    await writeAudit(tx, {
      merchantId,
      environment,
      actor: 'service',
      action: DISABLED,
      subjectId: accountId,
      before: { status },
      after: { status: 'disabled' },
    });
    await alertOfAccount(tx, { merchantId, environment }, accountId, 'rail_account_disabled');
  });
}

/** Records one alert. Its version is the number of the account's alerts of this code, which are never deleted. */
export async function alertOfAccount(
  tx: Transaction,
  scope: Scope,
  accountId: string,
  code: 'rail_account_disabled' | 'rail_account_keys_changed' | 'rail_account_replaced',
): Promise<void> {
  const earlier = await tx.oneFirst(sql.type(z.object({ count: z.number() }))`
    select count(*) from operator_alerts where reference = ${accountId} and code = ${code}
  `);
  await recordEvent(tx, {
    scope,
    type: 'billing.operational_alert',
    aggregateId: `${accountId}-${code}`,
    aggregateVersion: 1 + earlier,
    alert: { code, reference: accountId },
  });
}

/** Sends at most one alert a day. */
export function alertOfMisconfiguration(pool: Pool, accountId: string): Promise<void> {
  return inTransaction(pool, async (tx) => {
    const known = account.omit({ status: true }).extend({ day: z.number() });
    const { merchant_id, environment, day } = await tx.one(sql.type(known)`
      select merchant_id, environment, (unix_ms(service_clock()) / 86400000)::integer as day
      from rail_accounts where id = ${accountId}
    `);
    await recordEvent(tx, {
      scope: { merchantId: merchant_id, environment },
      type: 'billing.operational_alert',
      aggregateId: `${accountId}-misconfigured`,
      aggregateVersion: day,
      alert: { code: 'rail_account_misconfigured', reference: accountId },
    });
  });
}
