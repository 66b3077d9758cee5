/** Breakages of a night on call, each with an operator's remedy. */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { IncidentKind } from '../../contract/operations/incident-kinds.ts';
import { openPool, sql } from '../../db/core/pool.ts';
import { FAILING_AFTER_SECONDS } from '../../domain/webhook/retry-schedule.ts';
import { payAsBuyer } from '../../sandbox/buyer/buyer.ts';
import type { Night } from './night.ts';

const LOST_ANSWER = '4000009000000110';
const CHARGED_AFTER_CANCEL = '4000009000000318';
const DISPUTED = '4000009000000524';
const ACCOUNT = 'acct_merchant';
const RAIL = 'sandbox:sandbox';
const because = ['--reason', 'a night on call'];

export interface Break {
  readonly name: string;
  /** Takes longer than a minute to be reported or to clear. */
  readonly isLong?: true;
  /** The incident that the operators' webhook reports. */
  readonly kind?: IncidentKind;
  /** The alert that pages, for what the webhook cannot report; without either, only the first command shows it. */
  readonly alert?: string;
  /** How many seconds `strike` backdates the beginning, instead of waiting. */
  readonly aged?: number;
  /** The first command of its section, and its output while it is broken. */
  readonly first: (night: Night) => readonly string[];
  readonly says: RegExp;
  /** @returns an id that `settle` needs */
  strike(night: Night): Promise<string>;
  settle(night: Night, id: string): Promise<unknown>;
}

const list = (kind: IncidentKind) => ({
  kind,
  first: () => ['list', '--kind', kind],
  says: new RegExp(`^${kind} `, 'm'),
});
const page = (alert: string, part: string) => ({
  alert,
  first: () => ['health'],
  says: new RegExp(`^${part} +DOWN.*`, 'm'),
});

export const BREAKS: readonly Break[] = [
  {
    name: 'charge in doubt',
    ...list('reconciliation_required'),
    async strike(night) {
      await fault(night, { operation: 'lookup', mode: '500' });
      return night.buy(LOST_ANSWER);
    },
    async settle(night, id) {
      await heal(night);
      await night.ops('ask', id);
    },
  },
  {
    name: 'dispute',
    ...list('dispute_open'),
    strike: async (night) => paymentOf(night, await night.buy(DISPUTED)),
    settle: (night, reference) =>
      admin(night, 'disputes/decision', { account: ACCOUNT, reference, status: 'won' }),
  },
  {
    name: 'refused refund',
    ...list('refund_failed'),
    async strike(night) {
      const paymentId = await paymentOf(night, await night.buy());
      await refundAtRail(night, paymentId);
      const { id = '' } = await night.asMerchant('POST', '/v1/refunds', { paymentId });
      return id;
    },
    settle: (night, id) => night.ops('incident', 'close', 'refund_failed', id, ...because),
  },
  {
    name: 'orphaned charge',
    ...list('orphaned_charge'),
    async strike(night) {
      await fault(night, { operation: 'refund', mode: '500' });
      const { id = '', hostedUrl = '' } = await night.asMerchant('POST', '/v1/checkouts', {
        productId: night.place.products.oneTime,
        externalCustomerId: 'customer-orphan',
      });
      await payAndCancel(hostedUrl);
      return paymentOf(night, id);
    },
    async settle(night, id) {
      await heal(night);
      await night.ops('ask', id);
    },
  },
  {
    name: 'endpoint answers 410',
    ...list('endpoint_disabled'),
    async strike({ place }) {
      place.receiver.behave(410, 0);
      return place.merchant.endpointId;
    },
    async settle(night, id) {
      night.place.receiver.behave(200, 0);
      const [, since = ''] =
        /--since (\S+)/.exec(await night.ops('endpoint', 'resume', id, ...because)) ?? [];
      await night.ops('endpoint', 'recover', id, '--since', since, ...because);
    },
  },
  {
    name: 'endpoint answers 500',
    ...failingWith(500),
  },
  {
    name: 'endpoint answers 400 (old secret)',
    ...failingWith(400),
  },
  {
    name: 'rail answers 500',
    ...list('rail_unavailable'),
    async strike(night) {
      await fault(night, { operation: 'authorize', mode: '500' });
      await Promise.all(Array.from({ length: 12 }, () => night.buy().catch(() => '')));
      return '';
    },
    settle: heal,
  },
  { name: 'rail key rolled', ...refusedAccount({ secret: 'another-secret-of-the-account' }) },
  { name: 'rail account disabled', isLong: true, ...refusedAccount({ status: 'disabled' }) },
  {
    name: 'workers hang',
    isLong: true,
    ...page('CheckoutWorkersGone', 'workers'),
    async strike({ place }) {
      for (const worker of place.workers) worker.freeze();
      return '';
    },
    async settle({ place }) {
      for (const worker of place.workers) worker.thaw();
    },
  },
  {
    name: 'PostgreSQL frozen for a minute',
    isLong: true,
    ...page('CheckoutDatabaseDown', 'postgresql'),
    async strike({ place }) {
      await signalServer(place.database.server().part.pid, 'SIGSTOP');
      return `${Date.now() + 60_000}`;
    },
    async settle({ place }, until) {
      await pause(Math.max(0, Number(until) - Date.now()));
      await signalServer(place.database.server().part.pid, 'SIGCONT');
    },
  },
  {
    name: 'PostgreSQL away',
    ...page('CheckoutDatabaseDown', 'postgresql'),
    async strike({ place }) {
      place.database.server().part.kill('SIGKILL');
      return '';
    },
    settle: ({ place }) => place.database.crash(),
  },
  {
    name: 'Temporal stopped',
    ...page('CheckoutTemporalUnavailable', 'temporal'),
    async strike({ place }) {
      await place.temporal.stop();
      return '';
    },
    settle: ({ place }) => place.temporal.start(),
  },
  {
    name: 'rail slow',
    isLong: true,
    alert: 'CheckoutRailSlow',
    first: () => ['attempts', '--minutes', '3'],
    says: /authorize .* 1\d{4} ms +\d+ ms$/m,
    async strike(night) {
      await fault(night, { operation: 'authorize', mode: 'delay', delayMs: 10_000 });
      return '';
    },
    settle: heal,
  },
  {
    name: 'rail paused',
    ...list('rail_unavailable'),
    async strike(night) {
      await night.ops('pause-rail', RAIL, ...because);
      return '';
    },
    settle: (night) => night.ops('resume-rail', RAIL, ...because),
  },
  {
    name: 'merchant off',
    first: () => ['list', '--kind', 'merchant_stopped'],
    says: /^ *stopped by [^ ]+/m,
    async strike(night) {
      await night.ops('stop-merchant', night.place.merchant.id, ...because, '--yes');
      return '';
    },
    settle: (night) => night.ops('start-merchant', night.place.merchant.id, ...because, '--yes'),
  },
];

function failingWith(status: number): Omit<Break, 'name'> {
  return {
    ...list('endpoint_failing'),
    aged: FAILING_AFTER_SECONDS,
    async strike({ place }) {
      place.receiver.behave(status, 0);
      const pool = await openPool({ url: place.env.DATABASE_URL ?? '', maxConnections: 1 });
      let found = 0;
      while (found === 0) {
        await pause(500);
        const { rowCount } = await pool.query(sql.unsafe`
          update webhook_endpoints set failing_since = failing_since - ${FAILING_AFTER_SECONDS} * interval '1 second'
          where id = ${place.merchant.endpointId} and failing_since is not null`);
        found = rowCount ?? 0;
      }
      await pool.end();
      return '';
    },
    async settle({ place }) {
      place.receiver.behave(200, 0);
    },
  };
}

function refusedAccount(
  changed: { readonly secret: string } | { readonly status: string },
): Omit<Break, 'name'> {
  return {
    ...list('rail_account_disabled'),
    async strike(night) {
      const { railSecret: secret } = night.place.merchant;
      await admin(night, 'accounts', { id: ACCOUNT, secret, ...changed });
      return '';
    },
    async settle(night) {
      const { place } = night;
      // Restarting the rail restores the accounts of its environment.
      place.rail.kill();
      await pause(1_000);
      await place.rail.untilHealthy(30_000);
      const set = ['rail', 'set', place.merchant.id, '--environment', 'sandbox', '--rail', 'sandbox'];
      Object.assign(place.env, { SANDBOX_RAIL_SECRET: place.merchant.railSecret });
      await night.ops(...set);
    },
  };
}

async function admin({ place }: Night, path: string, body: object): Promise<void> {
  const response = await fetch(`${place.railUrl}/admin/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

const fault = (night: Night, of: object) => admin(night, 'faults', { count: 10_000, ...of });

async function heal({ place }: Night): Promise<void> {
  await fetch(`${place.railUrl}/admin/faults`, { method: 'DELETE' });
}

async function paymentOf(night: Night, sessionId: string): Promise<string> {
  const { related } = JSON.parse(await night.ops('why', sessionId, '--json'));
  return related.find(({ kind }: { kind: string }) => kind === 'payment')?.id ?? '';
}

async function refundAtRail({ place }: Night, chargeReference: string): Promise<void> {
  const { railUrl, merchant } = place;
  const headers = { authorization: `Bearer ${merchant.railSecret}`, 'content-type': 'application/json' };
  const charge = await fetch(`${railUrl}/v1/charges/${chargeReference}`, { headers });
  const { amount, currency } = (await charge.json()) as { amount: number; currency: string };
  const body = JSON.stringify({ reference: `${chargeReference}-by-hand`, chargeReference, amount, currency });
  const key = { 'idempotency-key': `${chargeReference}-by-hand` };
  const response = await fetch(`${railUrl}/v1/refunds`, {
    method: 'POST',
    headers: { ...headers, ...key },
    body,
  });
  if (!response.ok) throw new Error(`refund at the rail: ${response.status} ${await response.text()}`);
}

async function payAndCancel(hostedUrl: string): Promise<void> {
  await payAsBuyer({ hostedUrl, card: CHARGED_AFTER_CANCEL, timeoutSeconds: 2 });
  await fetch(`${hostedUrl}/cancel`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ requestId: crypto.randomUUID(), what: 'session' }),
  });
}

/** The server and its children, on Linux. */
async function signalServer(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const parents = new Map<number, number>();
  for (const name of (await readdir('/proc')).filter((each) => /^\d+$/.test(each))) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const tree = (of: number): number[] => [
    of,
    ...[...parents].filter(([, parent]) => parent === of).flatMap(([child]) => tree(child)),
  ];
  for (const each of tree(pid)) {
    try {
      process.kill(each, signal);
    } catch {
      // The process belonged to a connection that has ended since.
    }
  }
}
