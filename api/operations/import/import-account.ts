/**
 * Moves what a merchant has at a processor into the service. A subscription is stopped at the processor, then written
 * here, then ended there (rule 46). Each step can be repeated: an import that broke off is run again.
 */
import type { Client } from '@temporalio/client';
import type { Actor } from '../../../db/core/audit.ts';
import { type Pool, readClock } from '../../../db/core/pool.ts';
import {
  type Imported,
  type ImportedPlan,
  importCustomer,
  importedSubscriptions,
  importPlan,
  importSubscription,
  isPlanTaken,
  type KnownSubscription,
} from '../../../db/operations/import-account.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import type {
  AccountContents,
  AccountSource,
  SourcePlan,
  SourceSubscription,
} from '../../../rail/account-source.ts';
import type { RailUnknown } from '../../../rail/outcomes.ts';
import type { RailAccount } from '../../../rail/rail-account.ts';
import { mandateOf } from '../../../secrets/places.ts';
import type { SecretBox } from '../../../secrets/secret-box.ts';
import { readRememberedEnd } from '../../../temporal/remembered-end.ts';
import type { ImportRow } from './import-row.ts';
import { methodRow } from './method-row.ts';
import {
  cancelledThere,
  endedHere,
  endingThere,
  movedElsewhere,
  planObstacles,
  priceChanged,
  subscriptionObstacles,
} from './obstacles.ts';

export interface ImportDeps {
  readonly pool: Pool;
  readonly temporal: Client;
  readonly secretBox: SecretBox;
  readonly source: AccountSource;
  readonly account: RailAccount;
  readonly actor: Actor;
  /** Called with each row as soon as its outcome is known. */
  readonly onRow: (row: ImportRow) => void;
}

export interface ImportOptions {
  /** Included in every price, in percent. */
  readonly taxRate: number;
  /** The key of the customers' metadata that holds the merchant's own id. */
  readonly customerIdKey: string | null;
  /** False: only says what it would do. */
  readonly carryOut: boolean;
}

/** Methods are read customer by customer. */
const READ_PATIENCE_MS = 2 * 60 * 60_000;
const CALL_PATIENCE_MS = 30_000;

/** @throws RailListFailed when the account cannot be read: nothing has changed then */
export async function importAccount(deps: ImportDeps, options: ImportOptions): Promise<readonly ImportRow[]> {
  const contents = await deps.source.read(deps.account, AbortSignal.timeout(READ_PATIENCE_MS));
  const rows: ImportRow[] = [];
  const tell = (row: ImportRow) => {
    rows.push(row);
    deps.onRow(row);
  };
  const customers = await moveCustomers(deps, options, contents, tell);
  const plans = await movePlans(deps, options, contents, tell);
  for (const { id, obstacles } of contents.products) {
    tell({ kind: 'product', source: id, state: 'stays', id: null, why: obstacles });
  }
  const known = await importedSubscriptions(
    deps.pool,
    contents.subscriptions.map((each) => imported(deps, each)),
  );
  const offered = new Map(contents.plans.map((plan) => [plan.id, plan]));
  const charged = new Map<string, readonly ImportRow[]>();
  for (const subscription of contents.subscriptions) {
    const { id = '', exists = false, renews = false } = known.get(subscription.id) ?? {};
    const plan = offered.get(subscription.planId);
    const move: Move = {
      id,
      exists,
      renews,
      plan,
      written: plans.written.get(subscription.planId),
      isPlanMovable: options.carryOut
        ? plans.written.has(subscription.planId)
        : plans.movable.has(subscription.planId),
      customerId: customers.get(subscription.customerId),
    };
    const row = await moveSubscription(deps, options, subscription, move);
    tell(row);
    if (subscription.methodId)
      charged.set(subscription.methodId, [...(charged.get(subscription.methodId) ?? []), row]);
  }
  for (const method of contents.methods) tell(methodRow(method, charged.get(method.id) ?? []));
  return rows;
}

async function moveCustomers(
  deps: ImportDeps,
  { customerIdKey, carryOut }: ImportOptions,
  { customers }: AccountContents,
  tell: (row: ImportRow) => void,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const customer of customers) {
    const own = customerIdKey === null ? undefined : customer.metadata[customerIdKey];
    const row = { kind: 'customer', source: customer.id, why: [] } as const;
    if (!carryOut) {
      ids.set(customer.id, '');
      tell({ ...row, state: 'moves', id: null });
      continue;
    }
    const { id, isNew } = await importCustomer(deps.pool, {
      ...imported(deps, customer),
      externalCustomerId: own ?? customer.id,
      email: customer.email,
      name: customer.name,
      billingDetails: customer.address,
    });
    ids.set(customer.id, id);
    tell({ ...row, state: isNew ? 'moved' : 'there', id });
  }
  return ids;
}

async function movePlans(
  deps: ImportDeps,
  { taxRate, carryOut }: ImportOptions,
  { plans }: AccountContents,
  tell: (row: ImportRow) => void,
): Promise<{ readonly written: ReadonlyMap<string, ImportedPlan>; readonly movable: ReadonlySet<string> }> {
  const written = new Map<string, ImportedPlan>();
  const movable = new Set<string>();
  for (const plan of plans) {
    const taken = await isPlanTaken(deps.pool, imported(deps, plan));
    const why = [...planObstacles(plan), ...(taken ? [PLAN_TAKEN] : [])];
    if (why.length === 0) movable.add(plan.id);
    const row = { kind: 'plan', source: plan.id, why } as const;
    if (row.why.length > 0 || !carryOut) {
      tell({ ...row, state: row.why.length > 0 ? 'stays' : 'moves', id: null });
      continue;
    }
    const found = await importPlan(
      deps.pool,
      { ...plan, ...imported(deps, plan), amount: plan.amountCents, taxRate },
      deps.actor,
    );
    if (found) {
      written.set(plan.id, found);
      tell({ ...row, state: found.isNew ? 'moved' : 'there', id: found.productId });
    } else {
      tell({
        ...row,
        state: 'stays',
        id: null,
        why: [PLAN_TAKEN],
      });
    }
  }
  return { written, movable };
}

const PLAN_TAKEN = 'Another product already has its id as external_reference.';

/** Its id is the one that it has here, or would have. */
interface Move extends KnownSubscription {
  readonly plan: SourcePlan | undefined;
  readonly written: ImportedPlan | undefined;
  /** Nothing is stopped at the processor whose plan is not here. */
  readonly isPlanMovable: boolean;
  readonly customerId: string | undefined;
}

async function moveSubscription(
  deps: ImportDeps,
  { carryOut }: ImportOptions,
  subscription: SourceSubscription,
  move: Move,
): Promise<ImportRow> {
  const { id, exists, renews, plan, isPlanMovable } = move;
  const row = { kind: 'subscription', source: subscription.id } as const;
  if (exists) {
    const { isKnown, why } = await endThere(deps, { subscription, id, renews, carryOut });
    return { ...row, state: isKnown ? 'there' : 'unknown', id, why };
  }
  const customer =
    move.customerId === undefined ? ['Its customer is not among the account’s customers.'] : [];
  const obstacles = subscriptionObstacles(subscription, plan, await readClock(deps.pool));
  const stays = plan && !isPlanMovable && obstacles.length === 0 ? [`Its price ${plan.id} stays.`] : [];
  const before: string[] = [...obstacles, ...stays, ...movedElsewhere(subscription, id), ...customer];
  // A dry run need not ask about each that no import has begun to move.
  if (before.length === 0 && (carryOut || subscription.movedTo === id))
    before.push(...endedHere(id, await readRememberedEnd(deps.temporal, id)));
  if (before.length > 0)
    return { ...row, state: 'stays', id: null, why: [...before, ...endingThere(subscription, id)] };
  if (!carryOut) return { ...row, state: 'moves', id: null, why: [] };

  const stopped = await stopThere(deps, subscription, id);
  if (stopped.kind === 'unknown') return { ...row, state: 'unknown', id: null, why: [notAnswered(stopped)] };
  if (stopped.kind === 'leftAlone') return { ...row, state: 'stays', id: null, why: stopped.why };
  // The plan that would be written is the listed one.
  const changed = priceChanged(subscription, stopped.value);
  const after =
    changed.length > 0 ? changed : subscriptionObstacles(stopped.value, plan, await readClock(deps.pool));
  const written = await write(deps, stopped.value, move, after);
  if (!written)
    return { ...row, state: 'stays', id: null, why: [...after, ...endingThere(stopped.value, id)] };
  const { isKnown, why } = await endThere(deps, { subscription: stopped.value, id, renews: true, carryOut });
  return { ...row, state: isKnown ? 'moved' : 'unknown', id, why };
}

/**
 * Once the processor has confirmed the stop, it renews no more, and the end of the paid time is certain.
 * @returns `leftAlone`: since it was listed, it has changed so that it cannot be moved, as when its customer cancels it
 */
async function stopThere(
  deps: ImportDeps,
  subscription: SourceSubscription,
  movedTo: string,
): Promise<
  | { readonly kind: 'stopped'; readonly value: SourceSubscription }
  | { readonly kind: 'leftAlone'; readonly why: readonly string[] }
  | RailUnknown
> {
  if (subscription.state === 'over') return { kind: 'stopped', value: subscription };
  const now = await deps.source.readAgain(callAbout(deps, subscription.id, movedTo));
  if (now.kind === 'unknown') return now;
  const why = [
    ...priceChanged(subscription, now.value),
    ...now.value.obstacles,
    ...movedElsewhere(now.value, movedTo),
  ];
  if (why.length > 0) return { kind: 'leftAlone', why: [...why, ...endingThere(now.value, movedTo)] };
  const stopped = await deps.source.stop(callAbout(deps, subscription.id, movedTo));
  if (stopped.kind === 'stopped' && !['stopped', 'over'].includes(stopped.value.state))
    return { kind: 'unknown', reason: 'malformed_answer' };
  return stopped;
}

/** @returns false, and writes nothing, if it cannot be billed here as it stands */
async function write(
  deps: ImportDeps,
  stopped: SourceSubscription,
  { written: plan, customerId }: Move,
  obstacles: readonly string[],
): Promise<boolean> {
  if (obstacles.length > 0 || !plan || !customerId || stopped.mandate === null) return false;
  await importSubscription(
    deps.pool,
    {
      ...stopped,
      ...imported(deps, stopped),
      plan,
      customerId,
      railAccountId: deps.account.id,
      sealedMandate: deps.secretBox.seal(stopped.mandate, mandateOf(customerId)),
    },
    deps.actor,
  );
  return true;
}

interface ToEnd {
  readonly subscription: SourceSubscription;
  readonly id: string;
  readonly renews: boolean;
  readonly carryOut: boolean;
}

/**
 * Cancels it at the processor for good: a scheduled cancellation could be undone in its dashboard or customer portal.
 * @returns whether it is known that the processor bills it no more, and what a person has to do
 */
async function endThere(
  deps: ImportDeps,
  { subscription: { id: sourceId, state }, id, renews, carryOut }: ToEnd,
): Promise<{ readonly isKnown: boolean; readonly why: readonly string[] }> {
  const isOver = state === 'over' || state === 'cancelled';
  const ended = isOver || !carryOut ? { kind: state } : await deps.source.end(callAbout(deps, sourceId, id));
  if (ended.kind === 'cancelled') return { isKnown: true, why: renews ? [cancelledThere(id)] : [] };
  if (ended.kind !== 'unknown') return { isKnown: true, why: [] };
  const renewsNot = 'It is billed here, and will not renew there unless it is resumed.';
  return { isKnown: false, why: [`${notAnswered(ended)} ${renewsNot}`] };
}

function callAbout({ account }: ImportDeps, id: string, movedTo: string) {
  return { account, id, movedTo, signal: AbortSignal.timeout(CALL_PATIENCE_MS) };
}

function notAnswered({ reason, detail }: RailUnknown): string {
  return `The processor’s answer is not known (${[reason, detail].filter(Boolean).join(', ')}): run the import again.`;
}

function imported(
  { account: { merchantId, environment } }: ImportDeps,
  { id, createdAt }: { readonly id: string; readonly createdAt: string },
): Imported {
  const scope: Scope = { merchantId, environment };
  return { scope, sourceId: id, createdAt };
}
