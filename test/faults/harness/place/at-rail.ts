/** The rail's side: its books, and the actions of its staff and the banks. */
import { randomUUID } from 'node:crypto';
import type { LedgerEntry } from '../../checker/records.ts';
import type { Place } from './place.ts';

const TIMEOUT_MS = 8_000;

interface RailAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: callers read a field or two.
  readonly body: any;
}

export async function atRail(
  { railUrl, merchant }: Place,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  secret = merchant.railSecret,
): Promise<RailAnswer> {
  const response = await fetch(railUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, body: await response.json().catch(() => null) };
}

/** The ledger entries of both accounts. */
export async function ledgerOf(place: Place): Promise<readonly LedgerEntry[]> {
  const { status, body } = await atRail(place, 'GET', '/ledger');
  if (status !== 200) throw new Error(`the rail answered ${status} about its ledger`);
  return body;
}

/** Makes calls to the rail fail; sandbox/rail/core/faults.ts describes the modes. */
export async function putRailFault({ railUrl }: Place, fault: object): Promise<void> {
  await fetch(`${railUrl}/admin/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
    signal: AbortSignal.timeout(5_000),
  });
}

export async function clearRailFaults({ railUrl }: Place): Promise<void> {
  await fetch(`${railUrl}/admin/faults`, { method: 'DELETE', signal: AbortSignal.timeout(5_000) });
}
