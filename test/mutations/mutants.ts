/**
 * Guards about money, each with the text that removes it and the tests that notice. A mutation tester that makes its
 * mutants itself would copy the project and start PostgreSQL and Temporal for each; these share the servers of the run.
 */
export interface Mutant {
  readonly file: string;
  /** Occurs once in the file. */
  readonly find: string;
  readonly replace: string;
  readonly tests: readonly string[];
}

const mutant = (file: string, find: string, replace: string, ...tests: readonly string[]): Mutant => ({
  file,
  find,
  replace,
  tests,
});

const SESSION = ['test/domain/session.test.ts', 'test/domain/session-arrivals.test.ts'];
const PLAN = 'test/domain/session-plan.test.ts';
const DUNNING = 'test/domain/dunning.test.ts';
const SUBSCRIPTION = 'test/domain/subscription-plan.test.ts';
const KEYS = 'test/db/core/idempotency.test.ts';
const REFUND = 'test/db/refund/refund-calls.test.ts';
const CLAIM = 'test/db/session/claim-attempt.test.ts';
const PARSER = 'test/workflows/core/parse-message.test.ts';

export const MUTANTS: readonly Mutant[] = [
  mutant('domain/session.ts', 'if (cancelRequested) return', 'if (false) return', ...SESSION),
  mutant('domain/session.ts', 'if (expired) return', 'if (false) return', ...SESSION),
  mutant('domain/session.ts', 'attemptsUsed >= maxAttempts', 'attemptsUsed > maxAttempts', ...SESSION),
  mutant(
    'domain/session.ts',
    "patienceOver ? 'reconciliation_required'",
    "patienceOver ? 'created'",
    ...SESSION,
  ),
  mutant('domain/session.ts', 'settlesInDays && !circumstances.reconciling', 'settlesInDays', ...SESSION),
  mutant('domain/session-plan.ts', 'const expired = msToExpiry <= 0', 'const expired = msToExpiry < 0', PLAN),
  mutant('domain/session-plan.ts', 'Math.max(SHORTEST_SLEEP_MS, Math.ceil(ms))', 'Math.ceil(ms)', PLAN),
  mutant('domain/session-plan.ts', 'alreadyOver || view.msToExpiry', 'view.msToExpiry', PLAN),
  mutant('domain/session-plan.ts', 'Math.min(challengeMs, msToExpiry)', 'challengeMs', PLAN),
  mutant('domain/dunning.ts', 'now >= dunningEnd(dunning)', 'now > dunningEnd(dunning)', DUNNING),
  mutant('domain/dunning.ts', 'if (needsNewMethod) return', 'if (false) return', DUNNING),
  mutant('domain/dunning.ts', '!declined.retryable ||', '', DUNNING),
  mutant('domain/subscription-plan.ts', 'unpaid.at <= boundary.at', 'unpaid.at < boundary.at', SUBSCRIPTION),
  mutant('domain/subscription-plan.ts', '&& !timetable.hasOpenPayment', '', SUBSCRIPTION),
  mutant(
    'domain/subscription-plan.ts',
    'if (hasOpenPayment && (timetable.cancelAtPeriodEnd || cancelRequestedAt)) return null;',
    '',
    SUBSCRIPTION,
  ),
  mutant('domain/money.ts', '* rateHundredths + divisor)', '* rateHundredths)', 'test/domain/money.test.ts'),
  mutant(
    'domain/lookup-schedule.ts',
    'lookupsDone >= quickSeconds.length',
    'lookupsDone > quickSeconds.length',
    'test/domain/lookup-schedule.test.ts',
  ),
  mutant(
    'domain/calendar.ts',
    'Math.min(from.getUTCDate(), lastDay)',
    'from.getUTCDate()',
    'test/domain/calendar.test.ts',
  ),
  mutant(
    'db/payment/rail-calls.ts',
    "p.call_started_at is null and p.status = 'processing' and p.checkout_id is null",
    "p.status = 'processing' and p.checkout_id is null",
    'test/db/payment/stored-charge.test.ts',
  ),
  mutant(
    'db/payment/rail-calls.ts',
    "status = 'processing' and service_clock() < call_deadline",
    "status = 'processing'",
    'test/db/payment/remember-at-rail.test.ts',
  ),
  mutant(
    'db/payment/rail-news.ts',
    `and received_at <= \${askedAt}`,
    `and \${askedAt}::timestamptz is not null`,
    'test/db/payment/news-in-time.test.ts',
  ),
  mutant('db/refund/refund-calls.ts', 'and r.call_started_at is null', '', REFUND),
  mutant(
    'db/refund/refund-calls.ts',
    `and date_trunc('milliseconds', call_deadline) = \${callDeadline}`,
    `and \${callDeadline}::timestamptz is not null`,
    REFUND,
  ),
  mutant('db/refund/record-refund.ts', 'refund.version !== input.version ||', '', REFUND),
  mutant('db/refund/record-refund.ts', '|| !refund.past_deadline', '', REFUND),
  mutant(
    'db/core/idempotency.ts',
    `and lease_until = \${until} and answer is null\n    returning`,
    `and \${until}::timestamptz is not null and answer is null\n    returning`,
    KEYS,
  ),
  mutant(
    'db/core/idempotency.ts',
    `where scope = \${scope} and key = \${key} and answer is null\n  \`);\n  const pinned`,
    `where scope = \${scope} and key = \${key}\n  \`);\n  const pinned`,
    KEYS,
  ),
  mutant('db/core/idempotency.ts', 'where known.answer is null and', 'where', KEYS),
  mutant('db/session/claim-attempt.ts', "if (checkout.expired) return refuse('expired');", '', CLAIM),
  mutant('db/session/claim-attempt.ts', "if (request.too_late) return refuse('too_late');", '', CLAIM),
  // Not here: `checkout.attempts >= checkout.max_attempts` of the claim. The last attempt's end fails the session, so
  // that no test reaches this second guard.
  mutant('db/session/claim-attempt.ts', 'if (mine) return', 'if (false && mine) return', CLAIM),
  mutant('workflows/core/parse-message.ts', "&& !given.includes('\\0')", '', PARSER),
  mutant('workflows/core/parse-message.ts', '|| !given.isWellFormed()', '', PARSER),
  mutant('workflows/core/parse-message.ts', "given >= '0001' &&", '', PARSER),
];
