/**
 * The rails, with an eye on what they refuse. An account that its rail refuses is disabled with an alert, and
 * nothing is sent for it any more that could move money; a call that is refused as wrong alerts once a day.
 */
import { alertOfMisconfiguration, disableRefusedAccount } from '../../db/merchant/rail-account-trouble.ts';
import type { Rail, RailAccount, RailOutcome, RefundOutcome } from '../../rail/rail.ts';
import { wakeEndpointsOf } from '../../temporal/wake-endpoints.ts';
import type { ActivityDeps } from '../core/deps.ts';

type TroubleDeps = Pick<ActivityDeps, 'pool' | 'client' | 'logger' | 'rails'>;

export function heedingTrouble(deps: TroubleDeps): ReadonlyMap<string, Rail> {
  return new Map([...deps.rails].map(([name, rail]) => [name, heeding(deps, rail)]));
}

function heeding(deps: TroubleDeps, rail: Rail): Rail {
  const heed = async <Outcome extends RailOutcome | RefundOutcome>(
    { account }: { readonly account: RailAccount },
    answer: Promise<Outcome>,
  ): Promise<Outcome> => {
    const outcome = await answer;
    if (outcome.kind === 'unknown') await tellOf(deps, account, outcome.reason, outcome.detail);
    return outcome;
  };
  const unlessDisabled = <Request extends { readonly account: RailAccount }>(
    request: Request,
    send: (request: Request) => Promise<RailOutcome>,
    nothingSent: RailOutcome,
  ) => (request.account.status === 'disabled' ? Promise.resolve(nothingSent) : heed(request, send(request)));

  return {
    ...rail,
    authorize: (request) => unlessDisabled(request, (sent) => rail.authorize(sent), BUYER_MAY_TRY_AGAIN),
    chargeStored: (request) => unlessDisabled(request, (sent) => rail.chargeStored(sent), NOT_CHARGED),
    lookup: (request) => heed(request, rail.lookup(request)),
    cancel: (request) => heed(request, rail.cancel(request)),
    refund: (request) => heed(request, rail.refund(request)),
    lookupRefund: (request) => heed(request, rail.lookupRefund(request)),
  };
}

/** Nothing was sent. The buyer is there and sees that it did not work; the session stays payable. */
const BUYER_MAY_TRY_AGAIN: RailOutcome = {
  kind: 'declined',
  code: 'processing_error',
  retryable: true,
  railReference: null,
  method: null,
};

/**
 * Nothing was sent, and nobody is there. Not declined: no bank said no, so its customer is not dunned for an
 * account that the merchant has to mend; the renewal is charged again later.
 */
const NOT_CHARGED: RailOutcome = { kind: 'cancelled', railReference: null };

/** Never throws: the rail's answer must not be lost over it. */
async function tellOf(
  deps: TroubleDeps,
  { id: railAccountId }: RailAccount,
  reason: string,
  detail: string | undefined,
): Promise<void> {
  if (reason !== 'account_refused' && reason !== 'misconfigured') return;
  const refused = reason === 'account_refused';
  const words = refused ? 'the rail refuses the account: it is disabled' : 'the rail refuses a call as wrong';
  deps.logger.error({ railAccountId, detail }, words);
  try {
    const tell = refused ? disableRefusedAccount : alertOfMisconfiguration;
    void wakeEndpointsOf(deps, await tell(deps.pool, railAccountId));
  } catch (err) {
    deps.logger.error({ railAccountId, err }, 'the alert about a rail account could not be recorded');
  }
}
