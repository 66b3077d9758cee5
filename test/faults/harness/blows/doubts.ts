/**
 * Outcomes that stay in doubt until an operator settles them: the rail stops answering while the merchant refunds,
 * renews and sells, and the merchant cancels the subscription whose renewal is in doubt.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../core/random.ts';
import type { Merchant } from '../people/merchant.ts';
import { clearRailFaults, putRailFault } from '../place/at-rail.ts';
import { runOps } from '../place/ops.ts';
import type { Place } from '../place/place.ts';
import type { Blow, Victims } from './blow.ts';
import { type Incident, listed, outcomeInBooks, resolveAs } from './operators.ts';

/** A refund, a renewal and a sale. */
const IN_DOUBT = ['ap_ref_', 'ap_sub_', 'ap_chk_'];
/** The quick look-ups take nine seconds; a renewal may have to wait until another clock of the merchant has arrived. */
const LISTED_WITHIN_MS = 40_000;
const SETTLED_WITHIN_MS = 120_000;
const POLL_MS = 2_000;
const UPDATE_WITHIN_MS = 30_000;
const TYPED = { operator: 'fault harness', reason: 'the rail is silent', evidence: 'its dashboard' };

export function blowsOfDoubt(victims: Victims): readonly Blow[] {
  return [
    {
      kind: 'an operator settles doubts',
      isSlow: true,
      strike: (random) => resolveDoubts(victims, random),
    },
  ];
}

async function resolveDoubts(victims: Victims, random: Random): Promise<string> {
  const { place, merchant, unfinished } = victims;
  const { payment_id: paymentId, subscription_id: own, amount } = await subscriber(merchant);
  for (const fault of silence(random)) await putRailFault(place, fault);
  unfinished.push(
    merchant.refund({ paymentId, amount: random.between(1, amount) }),
    merchant.renew(own, () => 1),
    merchant.sellAtOnce('oneTime'),
  );
  try {
    const doubts = await untilListed(place);
    await cancelRenewal(merchant, doubts, own);
    const settled = await settle(victims, doubts, random);
    return settled.join(', ') || 'nothing was in doubt';
  } finally {
    await clearRailFaults(place);
    await askAboutReturns(place);
  }
}

/**
 * A return that the unresponsive rail has left unanswered twice is tried again after five minutes, or earlier on
 * request.
 */
async function askAboutReturns(place: Place): Promise<void> {
  const waiting = (await listed(place)).filter(({ kind }) => kind === 'orphaned_charge');
  // Some charges may already have been returned: failures are expected.
  await Promise.allSettled(waiting.map(({ payment_id }) => runOps(place, 'ask', payment_id, '--json')));
}

async function subscriber(merchant: Merchant) {
  const session = await merchant.sellAtOnce('recurring');
  if (!session?.subscription_id) throw new Error('the purchase of a subscription did not succeed');
  return { ...session, subscription_id: session.subscription_id };
}

/**
 * Faults for calls that move money and for all look-ups; other buyers' charges pass. A call that the rail
 * executes before it stops answering follows a look-up that it still answers.
 */
function silence(random: Random): readonly object[] {
  const calls = [
    { operation: 'chargeStored', before: ['lookup'] },
    { operation: 'refund', before: ['lookupRefund'] },
    { operation: 'authorize', before: [] },
  ];
  const faults = calls.flatMap(({ operation, before }) => {
    const isTaken = random.chance(0.5);
    return [
      { operation, mode: isTaken ? 'drop-after' : 'drop-before', count: 1 },
      ...(isTaken ? before.map((lookUp) => ({ operation: lookUp, mode: 'delay', delayMs: 0 })) : []),
    ];
  });
  const lookUps = ['lookup', 'cancel', 'lookupRefund'];
  return [...faults, ...lookUps.map((operation) => ({ operation, mode: 'drop-before', count: 10_000 }))];
}

/** @returns the subjects in doubt once there is one of each, or after a while */
async function untilListed(place: Place): Promise<readonly Incident[]> {
  for (const end = performance.now() + LISTED_WITHIN_MS; ; await pause(POLL_MS)) {
    const doubts = await inDoubt(place);
    const isComplete = IN_DOUBT.every((prefix) => doubts.some(({ id }) => id.startsWith(prefix)));
    if (isComplete || performance.now() > end) return doubts;
  }
}

async function inDoubt(place: Place): Promise<readonly Incident[]> {
  return (await listed(place)).filter(({ kind }) => kind === 'reconciliation_required');
}

/** Cancels the subscriber's subscription, or another one; it ends once its charge is settled. */
async function cancelRenewal(merchant: Merchant, doubts: readonly Incident[], own: string): Promise<void> {
  const renewals = doubts.map(({ id }) => id).filter((id) => id.startsWith('ap_sub_'));
  const id = renewals.includes(own) ? own : renewals[0];
  if (id) await merchant.cancel(id, false);
}

/** Alternates between the command and Temporal UI; a subject still in doubt afterwards is tried the other way. */
async function settle(victims: Victims, doubts: readonly Incident[], random: Random): Promise<string[]> {
  const told: string[] = [];
  let open = doubts;
  const end = performance.now() + SETTLED_WITHIN_MS;
  for (let turn = random.between(0, 1); open.length > 0; turn++) {
    if (performance.now() > end) throw new Error(`still in doubt: ${open.map(({ id }) => id).join(', ')}`);
    const tried = open.map((doubt, n) => trySettling(victims, doubt, (n + turn) % 2 === 0));
    told.push(...(await Promise.all(tried)));
    const now = await inDoubt(victims.place);
    // A subscription may have another charge in doubt by now.
    open = open.filter((doubt) =>
      now.some(({ id, payment_id }) => id === doubt.id && payment_id === doubt.payment_id),
    );
  }
  return told;
}

/** A worker, or the command itself, may die in the meantime: the list shows whether the doubt is settled. */
async function trySettling(
  { place, client }: Victims,
  doubt: Incident,
  isByCommand: boolean,
): Promise<string> {
  const outcome = await outcomeInBooks(place, doubt);
  const tried = `${doubt.id} as ${outcome} ${isByCommand ? 'by command' : 'in Temporal UI'}`;
  const run = client.workflow.getHandle(doubt.id);
  const type = () => run.executeUpdate('resolve', { args: [{ ...TYPED, outcome }] });
  const settling = isByCommand
    ? resolveAs(place, doubt.id, outcome)
    : client.withDeadline(Date.now() + UPDATE_WITHIN_MS, type);
  return settling.then(
    () => tried,
    () => `${tried} without an answer`,
  );
}
