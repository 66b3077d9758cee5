/** An endpoint's health: when it began to fail, the alerts about it, and its disabling. */
import { z } from 'zod';
import {
  DISABLED_AFTER_SECONDS,
  EXHAUSTED_ALERT_EVERY_SECONDS,
  FAILING_AFTER_SECONDS,
} from '../../domain/webhook/retry-schedule.ts';
import { camelCased, type Pool, sql, type Transaction } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';
import { inTransaction } from '../core/transaction.ts';
import { IS_SLOW } from './endpoint-failure.ts';
import { type EndpointRef, endpointRefRow, recordEvent } from './events.ts';

/** The first failure sets `failing_since`, a success clears it. */
export async function keepHealth(tx: Transaction, endpointId: string, anySuccess: boolean) {
  return tx.maybeOne(sql.type(camelCased({ failed_too_long: z.boolean(), url: z.string() }))`
    update webhook_endpoints
    set failing_since = ${anySuccess ? sql.fragment`null` : sql.fragment`coalesce(failing_since, service_clock())`}
    where id = ${endpointId}
    returning coalesce(
      failing_since <= service_clock() - make_interval(secs => ${DISABLED_AFTER_SECONDS}), false
    ) as failed_too_long, url`);
}

const ALERTED_AT_ONCE = 100;

const versioned = z.object({ version: z.int() });

/**
 * Disables the endpoint and alerts. Its backlog is held afterwards (`backlog.ts`).
 * @returns false if the endpoint was no longer enabled
 */
export async function disableEndpoint(
  tx: Transaction,
  endpoint: EndpointRef,
  reason: 'gone' | 'failing',
): Promise<boolean> {
  const disabled = await tx.maybeOne(sql.type(versioned)`
    update webhook_endpoints
    set status = 'disabled', disabled_reason = ${reason}, version = version + 1, updated_at = service_clock(),
      recover_since = null, recover_until = null, hold_before = service_clock()
    where id = ${endpoint.endpointId} and status = 'enabled'
    returning version`);
  if (!disabled) return false;
  await alert(tx, endpoint, 'webhook_endpoint_disabled', disabled.version);
  return true;
}

const failingEndpoint = camelCased({ ...endpointRefRow, version: z.int() });

/**
 * Sends one alert per series of failures that has lasted 15 minutes, whether or not another attempt is due; for slow
 * responses, one a day.
 */
export function alertOfFailingEndpoints(pool: Pool): Promise<void> {
  return inTransaction(pool, async (tx) => {
    const due = await tx.any(sql.type(failingEndpoint)`
      update webhook_endpoints set last_failing_alert_at = service_clock(), version = version + 1
      where id = any (array(
        select id from webhook_endpoints
        where status = 'enabled' and failing_since <= ${NOW} - make_interval(secs => ${FAILING_AFTER_SECONDS})
            and coalesce(last_failing_alert_at, '-infinity') < failing_since
          or ${IS_SLOW} and coalesce(last_failing_alert_at, '-infinity') < ${NOW} - interval '1 day'
        order by failing_since limit ${ALERTED_AT_ONCE} for update skip locked))
      returning id as endpoint_id, merchant_id, environment, version`);
    for (const endpoint of due) await alert(tx, endpoint, 'webhook_endpoint_failing', endpoint.version);
  });
}

/** @returns false if the last such alert is too recent */
export async function alertOfExhausted(tx: Transaction, endpoint: EndpointRef): Promise<boolean> {
  const due = await tx.maybeOne(sql.type(versioned)`
    update webhook_endpoints set last_exhausted_alert_at = service_clock(), version = version + 1
    where id = ${endpoint.endpointId}
      and coalesce(last_exhausted_alert_at, '-infinity')
        <= service_clock() - make_interval(secs => ${EXHAUSTED_ALERT_EVERY_SECONDS})
    returning version`);
  if (due) await alert(tx, endpoint, 'webhook_deliveries_exhausted', due.version);
  return due !== null;
}

async function alert(tx: Transaction, endpoint: EndpointRef, code: string, version: number): Promise<void> {
  const { endpointId, merchantId, environment } = endpoint;
  await recordEvent(tx, {
    scope: { merchantId, environment },
    type: 'billing.operational_alert',
    aggregateId: endpointId,
    aggregateVersion: version,
    alert: { code, reference: endpointId },
    exceptEndpointId: endpointId,
  });
}
