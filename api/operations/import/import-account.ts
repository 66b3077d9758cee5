/** Moves a merchant's objects at a processor into the service. To resume an interrupted import, run it again. */
import {
  type ImportedPlan,
  importCustomer,
  importedSubscriptions,
  importPlan,
  isPlanTaken,
} from '../../../db/operations/import-account.ts';
import { tidyEmail } from '../../../domain/core/email.ts';
import type { AccountContents, SourceCustomer } from '../../../rail/account-source.ts';
import { type ImportDeps, type ImportOptions, imported } from './import-deps.ts';
import type { ImportRow } from './import-row.ts';
import { methodRow } from './method-row.ts';
import { type Move, moveSubscription } from './move-subscription.ts';
import { customerObstacles, planObstacles } from './obstacles.ts';

/** Allows for reading payment methods customer by customer. */
const READ_TIMEOUT_MS = 2 * 60 * 60_000;

/** @throws RailListFailed when the account cannot be read; nothing has been changed in that case */
export async function importAccount(deps: ImportDeps, options: ImportOptions): Promise<readonly ImportRow[]> {
  const contents = await deps.source.read(deps.account, AbortSignal.timeout(READ_TIMEOUT_MS));
  const rows: ImportRow[] = [];
  const tell = (row: ImportRow) => {
    rows.push(row);
    deps.onRow(row);
  };
  for (const { kind, id, obstacles } of contents.unread)
    tell({ kind, source: id, state: 'stays', id: null, why: obstacles });
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

/** @returns this service's ids by the processor's: an empty id in a dry run, null for a customer that stays */
async function moveCustomers(
  deps: ImportDeps,
  { customerIdKey, carryOut }: ImportOptions,
  { customers }: AccountContents,
  tell: (row: ImportRow) => void,
): Promise<ReadonlyMap<string, string | null>> {
  const externalIdOf = ({ id, metadata }: SourceCustomer) =>
    (customerIdKey === null ? undefined : metadata[customerIdKey]) ?? id;
  const sharing = Map.groupBy(customers, externalIdOf);
  const ids = new Map<string, string | null>();
  for (const customer of customers) {
    const externalCustomerId = externalIdOf(customer);
    const others = (sharing.get(externalCustomerId) ?? []).map(({ id }) => id);
    const why = customerObstacles(customer, externalCustomerId, others);
    const row = { kind: 'customer', source: customer.id, why } as const;
    if (why.length > 0 || !carryOut) {
      ids.set(customer.id, why.length > 0 ? null : '');
      tell({ ...row, state: why.length > 0 ? 'stays' : 'moves', id: null });
      continue;
    }
    const { id, isNew } = await importCustomer(deps.pool, {
      ...imported(deps, customer),
      externalCustomerId,
      email: customer.email && tidyEmail(customer.email),
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
      tell({ ...row, state: 'stays', id: null, why: [PLAN_TAKEN] });
    }
  }
  return { written, movable };
}

const PLAN_TAKEN = 'Another product already uses its id as external_reference.';
