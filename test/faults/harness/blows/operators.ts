/** Operators at work, with the rail's books at hand: doubts, orphaned charges, disputes. */
import { atRail, ledgerOf } from '../place/at-rail.ts';
import { runOps } from '../place/ops.ts';
import type { Place } from '../place/place.ts';

/** Refusals that mean that the incident was settled between list and command. */
const SETTLED_MEANWHILE = /There is nothing to settle|is not an orphaned charge|was closed before/;
const DECISIONS = ['won', 'lost'] as const;

export interface Incident {
  readonly kind: string;
  readonly id: string;
  readonly payment_id: string;
}

/** Handles everything on the list that has a command, according to the rail's books. */
export async function operate(place: Place): Promise<string> {
  const done: string[] = [];
  for (const incident of await listed(place)) {
    const act = ACTS[incident.kind];
    if (!act) continue;
    const said = await act(place, incident).catch((error: Error) => {
      if (SETTLED_MEANWHILE.test(error.message)) return 'already settled';
      throw error;
    });
    done.push(`${incident.id} ${said}`);
  }
  return done.join(', ') || 'nothing was in doubt';
}

export async function listed(place: Place): Promise<readonly Incident[]> {
  return JSON.parse(await runOps(place, 'list', '--json'));
}

const ACTS: Readonly<Record<string, (place: Place, incident: Incident) => Promise<string>>> = {
  reconciliation_required: resolve,
  orphaned_charge: giveBack,
  dispute_open: closeDispute,
};

/** Settles a session, a subscription's charge, or a refund. */
async function resolve(place: Place, incident: Incident): Promise<string> {
  const outcome = await outcomeInBooks(place, incident);
  await resolveAs(place, incident.id, outcome);
  return `as ${outcome}`;
}

type Outcome = 'succeeded' | 'failed';

export async function resolveAs(place: Place, id: string, outcome: Outcome): Promise<void> {
  await act(place, 'resolve', id, '--outcome', outcome);
}

export async function outcomeInBooks(place: Place, { id, payment_id }: Incident): Promise<Outcome> {
  const inBooks = id.startsWith('ap_ref_') ? id : payment_id;
  const ledger = await ledgerOf(place);
  return ledger.some(({ reference }) => reference === inBooks) ? 'succeeded' : 'failed';
}

/** Refunds the charge at the rail, which returns it only once; the service may be returning it at the same moment. */
async function giveBack(place: Place, { payment_id: chargeReference }: Incident): Promise<string> {
  const charge = (await ledgerOf(place)).find(({ reference }) => reference === chargeReference);
  if (!charge) return 'without a charge at the rail';
  const { amount, currency } = charge;
  const refund = { reference: `by-hand-${chargeReference}`, chargeReference, amount, currency };
  for (const secret of [place.merchant.railSecret, place.merchant.otherAccount.secret]) {
    const { status, body } = await atRail(place, 'POST', '/v1/refunds', refund, secret);
    if (status >= 300 || body?.status !== 'succeeded') continue;
    await act(place, 'returned', chargeReference, '--yes');
    return 'as returned';
  }
  return 'not refunded by the rail';
}

/** The bank decides, and the operator records the decision before the rail's webhook arrives. */
async function closeDispute(place: Place, { id, payment_id: reference }: Incident): Promise<string> {
  const decision = DECISIONS[reference.charCodeAt(reference.length - 1) % DECISIONS.length] ?? 'won';
  const asked = { account: place.merchant.railAccountId, reference, status: decision };
  const { status } = await atRail(place, 'POST', '/admin/disputes/decision', asked);
  if (status >= 300) return `not decided by the bank: ${status}`;
  await act(place, 'dispute close', id, '--status', decision, '--yes');
  return `as ${decision}`;
}

function act(place: Place, command: string, id: string, ...more: readonly string[]): Promise<string> {
  const words = ['--reason', 'the rail is silent', '--evidence', 'its dashboard', '--json'];
  return runOps(place, ...command.split(' '), id, ...more, ...words);
}
