/**
 * Wraps the rails to react to refusals. A refused account is disabled with an alert and moves no more money; a call
 * refused as invalid alerts once a day.
 */
import { alertOfMisconfiguration, disableRefusedAccount } from '../../db/merchant/rail-account-trouble.ts';
import { holdingBackOtherAmounts } from '../../rail/amounts.ts';
import type { DisputesOutcome, RailOutcome, RefundedTotal, RefundOutcome } from '../../rail/outcomes.ts';
import type { Rail } from '../../rail/rail.ts';
import type { RailAccount } from '../../rail/rail-account.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { recordingAnswers } from './rail-record.ts';

type TroubleDeps = Pick<ActivityDeps, 'pool' | 'logger' | 'rails'>;

export function heedingTrouble(deps: TroubleDeps): ReadonlyMap<string, Rail> {
  const wrapped = (rail: Rail) => heeding(deps, recordingAnswers(deps, holdingBackOtherAmounts(rail)));
  return new Map([...deps.rails].map(([name, rail]) => [name, wrapped(rail)]));
}

function heeding(deps: TroubleDeps, rail: Rail): Rail {
  const reporting = async <Outcome extends RailOutcome | RefundOutcome | RefundedTotal | DisputesOutcome>(
    { account }: { readonly account: RailAccount },
    answer: Promise<Outcome>,
  ): Promise<Outcome> => {
    const outcome = await answer;
    if (outcome.kind === 'unknown') await reportTrouble(deps, account, outcome.reason, outcome.detail);
    return outcome;
  };
  const unlessDisabled = <Request extends { readonly account: RailAccount }>(
    request: Request,
    send: (request: Request) => Promise<RailOutcome>,
    nothingSent: RailOutcome,
  ) =>
    request.account.status === 'disabled' ? Promise.resolve(nothingSent) : reporting(request, send(request));

  return {
    ...rail,
    authorize: (request) => unlessDisabled(request, (sent) => rail.authorize(sent), BUYER_MAY_TRY_AGAIN),
    chargeStored: (request) => unlessDisabled(request, (sent) => rail.chargeStored(sent), NOT_CHARGED),
    lookup: (request) => reporting(request, rail.lookup(request)),
    cancel: (request) => reporting(request, rail.cancel(request)),
    refund: (request) => reporting(request, rail.refund(request)),
    lookupRefund: (request) => reporting(request, rail.lookupRefund(request)),
    refundedTotal: (request) => reporting(request, rail.refundedTotal(request)),
    listDisputes: (request) => reporting(request, rail.listDisputes(request)),
  };
}

/** On-session, nothing was sent. The buyer sees the failure, and the session stays payable. */
const BUYER_MAY_TRY_AGAIN: RailOutcome = {
  kind: 'declined',
  code: 'processing_error',
  retryable: true,
  railReference: null,
  method: null,
};

/**
 * Off-session, nothing was sent. Not a bank's decline, so no dunning: the merchant has to fix the account,
 * and the renewal is charged again later.
 */
const NOT_CHARGED: RailOutcome = { kind: 'cancelled', railReference: null };

/** Never throws: a failed alert must not lose the rail's answer. */
async function reportTrouble(
  deps: TroubleDeps,
  { id: railAccountId, sealedCredential }: RailAccount,
  reason: string,
  detail: string | undefined,
): Promise<void> {
  if (reason !== 'account_refused' && reason !== 'misconfigured') return;
  const refused = reason === 'account_refused';
  const words = refused ? 'rail account refused' : 'rail call refused as invalid';
  deps.logger.error({ railAccountId, detail }, words);
  try {
    if (refused) await disableRefusedAccount(deps.pool, railAccountId, sealedCredential);
    else await alertOfMisconfiguration(deps.pool, railAccountId);
  } catch (err) {
    deps.logger.error({ railAccountId, err }, 'rail account alert failed');
  }
}
