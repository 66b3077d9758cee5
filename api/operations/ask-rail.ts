/** Makes the workflow look up open calls at the rail now, and waits for the answer. */
import type { CommandAnswer } from '../../contract/operations/commands.ts';
import type { Subject } from '../../contract/operations/subjects.ts';
import { answeredStatus, askAboutDispute } from '../../db/dispute/ask-about-dispute.ts';
import { answerInWords, factsOf } from '../../db/operations/subject-facts.ts';
import { findOrphan } from '../../db/payment/orphaned-charges.ts';
import { railAnswersAbout } from '../../db/payment/rail-answers.ts';
import { ownerOfPayment } from '../../db/payment/rail-webhooks.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { isOpen, PAYMENT_STATUSES } from '../../domain/payment/payment.ts';
import { presentWebhookTo, wake } from '../../platform/temporal/messages.ts';
import { tellReconcile } from '../../platform/temporal/start-workflows.ts';
import { sweepNow } from '../../platform/temporal/sweep-now.ts';
import { done, notDone } from './command-answer.ts';
import type { OperateDeps } from './operate-deps.ts';
import { OperationRefused } from './refused.ts';
import { until, withinDeadline } from './resolve.ts';

const OPEN: readonly string[] = PAYMENT_STATUSES.filter(isOpen);
const UNKNOWN_STILL =
  "look the payment's id up in the rail's dashboard, or ask its support (docs/on-call.md#reconciliation_required).";

export async function askRailNow(deps: OperateDeps, subject: Subject): Promise<CommandAnswer> {
  if (subject.kind === 'dispute') return askAboutDisputeNow(deps, subject.id);
  const { related } = await factsOf(deps.pool, subject);
  const all = [{ ...subject }, ...related];
  // Query only this payment, so that another attempt's answer is not taken for this one's.
  const asked = subject.kind === 'payment' ? [{ ...subject }] : all;
  const payment = asked.find(({ kind, state }) => kind === 'payment' && OPEN.includes(state));
  const references = subject.kind === 'refund' ? [subject.id] : [payment?.id ?? subject.id];
  const [before] = await railAnswersAbout(deps.pool, references, 1);
  await withinDeadline(deps.client, () => askWorkflow(deps, subject, payment?.id ?? null));
  const answer = await until(deps.timeoutMs, async () => {
    const [last] = await railAnswersAbout(deps.pool, references, 1);
    return last && last.at !== before?.at ? last : null;
  });
  if (!answer) return notDone(`The rail has not answered yet; check with npm run ops -- why ${subject.id}.`);
  const unknown = answer.outcome === 'unknown' ? ` The outcome is still unknown: ${UNKNOWN_STILL}` : '';
  const returned = subject.kind === 'payment' ? await returnInWords(deps, subject.id) : '';
  return done(`The rail reports ${answerInWords(answer)}.${unknown}${returned}`);
}

/** Waits until an orphaned charge is returned; the return is attempted after each look-up. */
async function returnInWords({ pool, timeoutMs }: OperateDeps, paymentId: string): Promise<string> {
  if (!(await findOrphan(pool, paymentId))) return '';
  const returned = await until(
    timeoutMs,
    async () => (await findOrphan(pool, paymentId))?.returnedBy ?? null,
  );
  if (returned) return ` The charge was returned to the buyer (${returned}).`;
  const [last] = await railAnswersAbout(pool, [paymentId, `${paymentId}-return`], 1);
  return ` It has not been returned to the buyer: a return was attempted${last ? `, ${answerInWords(last)}` : ''}.`;
}

/** Makes the sweep query the rail about a dispute, which has no workflow. */
async function askAboutDisputeNow(deps: OperateDeps, id: string): Promise<CommandAnswer> {
  const question = await askAboutDispute(deps.pool, id);
  // If the signal fails, the Schedule's next round queries the rail.
  await sweepNow(deps.client).catch(() => {});
  const status = await until(deps.timeoutMs, () => answeredStatus(deps.pool, id, question));
  if (status !== null) return done(`The rail has answered: the dispute is ${status}.`);
  return notDone(
    `The rail has not answered yet, and is asked each minute until it does; check with npm run ops -- why ${id}.`,
  );
}

async function askWorkflow(
  deps: OperateDeps,
  { kind, id, state, merchant_id: merchantId, environment: named }: Subject,
  openPaymentId: string | null,
): Promise<void> {
  if (kind === 'refund') {
    if (state !== 'pending')
      throw new OperationRefused(`The refund is ${state}: the rail has already answered.`);
    return wake(deps, id);
  }
  if (openPaymentId) {
    const owner = await ownerOfPayment(deps.pool, openPaymentId);
    if (!owner) throw new OperationRefused(`${id} does not belong to a session or subscription.`);
    return presentWebhookTo(deps, owner, openPaymentId);
  }
  if (kind !== 'payment')
    throw new OperationRefused(`There is nothing to ask the rail about: the ${kind} is ${state}.`);
  const environment = ENVIRONMENTS.find((each) => each === named) ?? 'sandbox';
  await tellReconcile(deps.client, { paymentId: id, merchantId, environment });
}
