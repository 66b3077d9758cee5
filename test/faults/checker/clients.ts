/** Responses to clients stay true, and a repeated request has one effect and one response. */
import { type Facts, groupBy, type Violation } from './facts.ts';
import { checkOperations } from './operations.ts';
import type { Exchange, Session } from './records.ts';
import { requestsAreRepaired } from './repaired.ts';

export function checkClients(facts: Facts): Violation[] {
  return [
    ...answersStayTrue(facts),
    ...checkOperations(facts),
    ...oneAnswerPerKey(facts),
    ...oneRequestPerKey(facts),
    ...pagesToldTheTruth(facts),
    ...requestsAreRepaired(facts),
  ];
}

const isSuccess = ({ status }: Exchange) => status >= 200 && status < 300;
const isNew = ({ path }: Exchange) =>
  path === '/v1/checkouts' || path === '/v1/refunds' || path.endsWith('/sessions');

function answersStayTrue(facts: Facts): Violation[] {
  const { exchanges, sessions, refunds, railRefunds, isAnswerLost, taken, listed } = facts;
  const known = new Map<string, { readonly amount: number; readonly coupon?: Session['coupon'] }>();
  for (const each of [...sessions, ...refunds]) known.set(each.id, each);
  const movedAtRail = new Set([...railRefunds.map(({ reference }) => reference), ...taken.keys()]);
  return exchanges
    .filter((each) => isSuccess(each) && isNew(each))
    .flatMap((each) => {
      const answer = JSON.parse(each.answer ?? '{}') as { id: string; amount?: number };
      const wrong = (found: string): Violation[] => [
        { promise: 'a 2xx response stays true', subject: answer.id, found },
      ];
      const now = known.get(answer.id);
      if (!now) {
        // Commits after the instant of a restore are lost, unless the rail knows of them.
        if (isAnswerLost(each) && !movedAtRail.has(answer.id)) return [];
        return listed.has(answer.id)
          ? []
          : wrong(`${each.status} at ${each.answeredAt}, but it does not exist`);
      }
      // A buyer may have entered a code in the meantime, and a claim removes a used-up coupon.
      const isRepriced = now.coupon || each.body?.includes('couponCode');
      if (answer.amount !== undefined && answer.amount !== now.amount && !isRepriced)
        return wrong(`the response has ${answer.amount} cents, the list ${now.amount}`);
      return [];
    });
}

function oneAnswerPerKey({ exchanges, isAnswerLost }: Facts): Violation[] {
  const keyed = exchanges.filter((each) => each.key !== null && isSuccess(each));
  return [...groupBy(keyed, ({ key, path }) => `${path} ${key}`)].flatMap(([subject, all]) => {
    const inOrder = all.toSorted((one, other) => one.answeredAt.localeCompare(other.answeredAt));
    // A different response is excused only if the earlier one was lost.
    const isOther = inOrder.some((each, n) => {
      const next = inOrder[n + 1];
      return next !== undefined && next.answer !== each.answer && !isAnswerLost(each);
    });
    if (!isOther) return [];
    const answers = new Set(all.map(({ answer }) => answer));
    return [{ promise: 'equal requests get one response', subject, found: [...answers].join(' | ') }];
  });
}

/**
 * The harness's clients never send two different requests under the same key, so a conflict is the service's
 * mistake.
 */
function oneRequestPerKey({ exchanges }: Facts): Violation[] {
  return exchanges
    .filter(({ status, answer }) => status === 409 && answer?.includes('idempotency_key_conflict'))
    .map(({ path, key }) => ({
      promise: 'an equal request is not a conflict',
      subject: `${path} ${key}`,
      found: '409 idempotency_key_conflict',
    }));
}

function pagesToldTheTruth({ seen, sessions, isLost }: Facts): Violation[] {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  return [...groupBy(seen, ({ sessionId }) => sessionId)].flatMap(([sessionId, views]) => {
    const session = byId.get(sessionId);
    if (!session) return [];
    const final = views.filter(({ state }) => state === 'succeeded' || state === 'failed');
    const lie = final.find(({ state, at }) => state !== session.state && !isLost(at));
    if (!lie) return [];
    const found = `the page showed ${lie.state} at ${lie.at}, but the session is ${session.state}`;
    return [{ promise: 'no buyer sees a wrong outcome', subject: sessionId, found }];
  });
}
