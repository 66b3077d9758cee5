/** `hosted-checkout buy`: buys a product with a test card. */
import { type Command, positiveNumber, print, textOf, UNWANTED_ANSWER, UsageError } from '../core/command.ts';
import { APPROVED_CARD, type Purchase, productOfKind, purchase } from '../core/purchase.ts';
import { sandboxClientOf } from '../core/settings.ts';

const CHALLENGES = ['approve', 'fail', 'abandon'] as const;

export const buy: Command = {
  summary: 'buy a product with a test card',
  help: `Usage: hosted-checkout buy [product] [options]

Creates a checkout session and pays it on the hosted page like a buyer, in the sandbox.

  product                the id of a product; by default the newest with a one-off price
  --card <number>        a test card (default: ${APPROVED_CARD})
  --email <address>      the buyer's (default: buyer@example.com)
  --challenge <how>      the answer to a 3-D Secure challenge: approve (default), fail or abandon
  --timeout <seconds>    how long to wait for the outcome (default: 60)

Exit code: 0 if it is paid, 3 if not (declined, or the challenge was failed or abandoned), 1 for any other
failure, such as an outcome that is not known in time.`,
  ids: { '': ['ap_prod_'] },
  options: {
    card: { type: 'string' },
    email: { type: 'string' },
    challenge: { type: 'string' },
    timeout: { type: 'string' },
  },
  async run(given) {
    const wanted = textOf(given, 'challenge') ?? 'approve';
    const challenge = CHALLENGES.find((each) => each === wanted);
    if (!challenge) throw new UsageError(`--challenge must be one of ${CHALLENGES.join(', ')}.`);
    const timeoutSeconds = positiveNumber(given, 'timeout', 60);
    const checkout = await sandboxClientOf(given);
    const product = given.positionals[0] ?? (await productOfKind(checkout, 'one_time')).id;
    const card = textOf(given, 'card') ?? APPROVED_CARD;
    const bought = await purchase(checkout, {
      product,
      card,
      challenge,
      timeoutSeconds,
      email: textOf(given, 'email'),
    });
    print(given, bought, outcomeOf(bought));
    if (bought.state !== 'succeeded') process.exitCode = UNWANTED_ANSWER;
  },
};

export function outcomeOf({
  id,
  state,
  failureReason,
  attempts,
}: Pick<Purchase, 'id' | 'state' | 'failureReason' | 'attempts'>): string {
  const after = `after ${attempts} attempt${attempts === 1 ? '' : 's'}.`;
  // A decline leaves the session open.
  if (state === 'created' && attempts > 0)
    return `${id}: declined ${after} The checkout can still be paid with another card.`;
  return `${id}: ${state}${failureReason ? ` (${failureReason})` : ''} ${after}`;
}
