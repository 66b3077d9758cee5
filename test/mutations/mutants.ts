/**
 * Money-safety guards, each with the text that removes it and the tests that notice. Stryker, which makes its mutants
 * itself, tests `domain/` (`npm run mutations`): a mutant takes it three seconds there, but elsewhere it would start
 * PostgreSQL and Temporal for each. These share the servers of the run.
 */
export interface Mutant {
  readonly file: string;
  /** Occurs once in the file. */
  readonly find: string;
  readonly replace: string;
  readonly tests: readonly string[];
  /** Part of the name of the one test that is run: files with a worker take long. */
  readonly named?: string;
}

const mutant = (file: string, find: string, replace: string, ...tests: readonly string[]): Mutant => ({
  file,
  find,
  replace,
  tests,
});

/** A mutant that the named test notices, with a worker. */
const named = (file: string, find: string, replace: string, test: string, name: string): Mutant => ({
  ...mutant(file, find, replace, test),
  named: name,
});

/** A workflow's, whose bundle is built anew. */
const ofWorkflow = (file: string, find: string, replace: string, test: string, name: string): Mutant =>
  named(`workflows/${file}`, find, replace, `test/workflows/${test}.test.ts`, name);

const SESSION = ['test/domain/session/session.test.ts', 'test/domain/session/session-arrivals.test.ts'];
const PLAN = 'test/domain/session/session-steps.test.ts';
const DUNNING = 'test/domain/subscription/dunning.test.ts';
const SUBSCRIPTION = 'test/domain/subscription/subscription-steps.test.ts';
const KEYS = 'test/db/core/idempotency.test.ts';
const REFUND = 'test/db/refund/refund-calls.test.ts';
const CLAIM = 'test/db/session/claim-attempt.test.ts';
const BOUNDS = 'test/db/subscription/advance-bounds.test.ts';
const RATES = 'test/api/http/rate-limit.test.ts';
const CHECKOUT = 'session/checkout';
const BILLING = 'subscription/subscription';
const REFUNDS = 'refund/refund';
const PARSER = 'test/workflows/core/parse-message.test.ts';
const RESTORED = 'test/faults/restored-database.test.ts';
const FENCE = 'test/db/core/ledger-copy.test.ts';
const DIFFERENCES = 'test/db/restore/differences.test.ts';
const DISPUTES = 'test/db/dispute/record-disputes.test.ts';
const BY_HAND = 'test/workflows/payment/returned-by-hand.test.ts';
const ASKED = 'test/workflows/session/checkout.test.ts';
const OVER_CHALLENGE = 'test/workflows/session/resolve-challenge.test.ts';
const TOLD_LATE = 'test/workflows/payment/late-approval.test.ts';
const MANDATE = 'test/db/subscription/late-approval.test.ts';
const SWEEP = 'test/workflows/sweep/sweep.test.ts';
const EXPORT = 'test/api/operations/operations.test.ts';

export const MUTANTS: readonly Mutant[] = [
  mutant('domain/session/session.ts', 'if (cancelRequested) return', 'if (false) return', ...SESSION),
  mutant('domain/session/session.ts', 'if (expired) return', 'if (false) return', ...SESSION),
  mutant(
    'domain/session/session.ts',
    'attemptsUsed >= maxAttempts',
    'attemptsUsed > maxAttempts',
    ...SESSION,
  ),
  mutant(
    'domain/session/session.ts',
    "patienceOver ? 'reconciliation_required'",
    "patienceOver ? 'created'",
    ...SESSION,
  ),
  mutant(
    'domain/session/session.ts',
    'settlesInDays && !circumstances.reconciling',
    'settlesInDays',
    ...SESSION,
  ),
  mutant(
    'domain/session/session-steps.ts',
    'const expired = msToExpiry <= 0',
    'const expired = msToExpiry < 0',
    PLAN,
  ),
  mutant(
    'domain/core/shortest-sleep.ts',
    'Math.max(SHORTEST_SLEEP_MS, Math.ceil(ms))',
    'Math.ceil(ms)',
    PLAN,
  ),
  mutant('domain/session/session-steps.ts', 'alreadyOver || view.msToExpiry', 'view.msToExpiry', PLAN),
  mutant('domain/session/session-steps.ts', 'Math.min(challengeMs, msToExpiry)', 'challengeMs', PLAN),
  mutant(
    'domain/subscription/dunning.ts',
    'now >= dunningEnd(dunning)',
    'now > dunningEnd(dunning)',
    DUNNING,
  ),
  mutant('domain/subscription/dunning.ts', 'if (needsNewMethod) return', 'if (false) return', DUNNING),
  mutant('domain/subscription/dunning.ts', '!declined.retryable ||', '', DUNNING),
  mutant(
    'domain/subscription/subscription-steps.ts',
    'unpaid.at <= boundary.at',
    'unpaid.at < boundary.at',
    SUBSCRIPTION,
  ),
  mutant('domain/subscription/subscription-steps.ts', '&& !timetable.hasOpenPayment', '', SUBSCRIPTION),
  mutant(
    'domain/subscription/subscription-steps.ts',
    'if (hasOpenPayment && (timetable.cancelAtPeriodEnd || cancelRequestedAt)) return null;',
    '',
    SUBSCRIPTION,
  ),
  mutant(
    'domain/core/money.ts',
    '* rateHundredths + divisor)',
    '* rateHundredths)',
    'test/domain/core/money.test.ts',
  ),
  mutant(
    'domain/core/lookup-schedule.ts',
    'lookupsDone >= quickSeconds.length',
    'lookupsDone > quickSeconds.length',
    'test/domain/core/lookup-schedule.test.ts',
  ),
  mutant(
    'domain/core/calendar.ts',
    'Math.min(from.getUTCDate(), lastDay)',
    'from.getUTCDate()',
    'test/domain/core/calendar.test.ts',
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
  mutant('db/session/claim-attempt.ts', "if (session.expired) return refuse('expired');", '', CLAIM),
  mutant('db/session/claim-attempt.ts', "if (request.too_late) return refuse('too_late');", '', CLAIM),
  // Not here: `session.attempts >= session.max_attempts` of the claim. The end of the last attempt fails the session,
  // so no test reaches this second guard.
  mutant('db/session/claim-attempt.ts', 'if (mine) return', 'if (false && mine) return', CLAIM),
  mutant('workflows/core/parse-message.ts', "&& !given.includes('\\0')", '', PARSER),
  mutant('workflows/core/parse-message.ts', '|| !given.isWellFormed()', '', PARSER),
  mutant('workflows/core/parse-message.ts', "given >= '0001' &&", '', PARSER),
  mutant(
    'db/subscription/advance-subscription.ts',
    "if (await isTooFar(tx, subscription, to)) return 'advance_too_far';",
    '',
    BOUNDS,
  ),
  mutant(
    'db/subscription/advance-subscription.ts',
    'moving >= MOST_AT_ONCE',
    'moving > MOST_AT_ONCE',
    BOUNDS,
  ),
  mutant(
    'db/subscription/subscription-changes.ts',
    "if (isTooMuchWork(subscription, effectiveAt, target)) return refused('advances_running');",
    '',
    BOUNDS,
  ),
  mutant('db/subscription/advance-subscription.ts', 'and s.reconciling_since is null', '', BOUNDS),
  mutant(
    'db/subscription/advance-subscription.ts',
    `and s.id <> \${id}`,
    `and \${id}::text is not null`,
    BOUNDS,
  ),
  mutant(
    'db/subscription/advance-subscription.ts',
    `and s.merchant_id = \${merchant_id}`,
    `and \${merchant_id}::text is not null`,
    BOUNDS,
  ),
  mutant(
    'api/server.ts',
    "isOfSandbox(request) ? 'sandbox'",
    "isOfSandbox(request) ? 'production'",
    'test/api/http/sandbox-pool.test.ts',
  ),
  mutant(
    'api/server.ts',
    "&& query.environment === 'sandbox'",
    '&& path === query.environment',
    'test/api/http/sandbox-pool.test.ts',
  ),
  mutant(
    'page/http/counted-together.ts',
    'window.others = Math.max(0, requests - window.reported);',
    '',
    'test/page/http/counted-together.test.ts',
  ),
  mutant('api/http/rate-limit.ts', '? perTestKey : perKey', '? perKey : perKey', RATES),
  mutant(
    'api/http/rate-limit.ts',
    "hashOf('sessions', clientIdOf(response as Response), addressOf(request))",
    "hashOf('sessions', clientIdOf(response as Response), 'any')",
    RATES,
  ),
  mutant('api/http/rate-limit.ts', '      limit: perClient,', '      limit: 1e9,', RATES),
  mutant('api/http/rate-limit.ts', '({ store: sharedStore(pool) })', '({})', RATES),
  mutant('api/http/health.ts', 'now - last.at < KEPT_MS', 'false', 'test/api/http/health.test.ts'),
  mutant(
    'page/http/routes/stream-state.ts',
    '|| ofAddress.isFull(address)',
    '',
    'test/page/http/stream-state.test.ts',
  ),
  named(
    'db/session/claim-attempt.ts',
    `session_payment_id(id, created_at, \${attemptNo}) as payment_id`,
    "new_id('ap_pay_') as payment_id",
    RESTORED,
    'a lost attempt is adopted when the buyer clicks again',
  ),
  named(
    'db/subscription/claim-charge.ts',
    'select period_payment_id(s.id, i.period_start, attempt.no), s.merchant_id',
    "select new_id('ap_pay_'), s.merchant_id",
    RESTORED,
    'a renewal that was charged before the restore is adopted',
  ),
  mutant(
    'db/migrations/0012_restore.sql',
    'create trigger refuse_mark_while_fenced before update of call_started_at on payments',
    'create trigger refuse_mark_while_fenced before update of rail on payments',
    FENCE,
  ),
  mutant(
    'db/session/session-row.ts',
    'service_clock() >= c.expires_at and not is_fenced() as expired',
    'service_clock() >= c.expires_at as expired',
    FENCE,
  ),
  mutant('db/webhook/events.ts', 'epoch === 0 ? change : [...change, epoch]', 'change', FENCE),
  named(
    'db/invoice/invoices.ts',
    'greatest(6, length(last_number::text))',
    '6',
    'test/workflows/payment/millionth-invoice.test.ts',
    'the millionth invoice is issued for a purchase',
  ),
  named('activities/payment/reconcile.ts', "if (row.amount === 0) return 'cancel';", '', BY_HAND, '0 cents'),
  named(
    'activities/payment/reconcile.ts',
    "const mark = await markReturn(deps, call.reference);\n  if (!mark) return { kind: 'open' };",
    "const mark = { until: 'infinity', before: null, refused: 0, signal: callSignal(deps) };",
    'test/workflows/payment/return-orphan.test.ts',
    'its look-ups outlast the restore',
  ),
  named(
    'activities/payment/reconcile.ts',
    "if (isBack(total)) return { kind: 'back' };",
    '',
    BY_HAND,
    'a charge that a person refunded at the rail counts as returned',
  ),
  named(
    'db/session/resolve-session.ts',
    "await askUntilAnswered(tx, 'payment', payment.id);",
    '',
    ASKED,
    'as failed while the rail is silent asks it',
  ),
  named(
    'db/session/resolve-session.ts',
    ' || input.unpaid',
    '',
    OVER_CHALLENGE,
    'nothing is written while the rail does not end the challenge',
  ),
  named(
    'db/subscription/resolve-subscription.ts',
    ' || input.unpaid',
    '',
    OVER_CHALLENGE,
    'charge in a challenge is not settled as paid',
  ),
  mutant(
    'db/payment/judge-after-end.ts',
    '!ended && !(await changedNothing',
    '!(await changedNothing',
    'test/db/session/record-outcome.test.ts',
  ),
  named(
    'db/subscription/replace-method.ts',
    ' || !(await hasMandate(tx, paymentId))',
    '',
    TOLD_LATE,
    'a change of method keeps the working method',
  ),
  named(
    'activities/payment/reconcile.ts',
    'if (details) await storeLateApproval(deps.pool, paymentId, details);',
    '',
    TOLD_LATE,
    'a purchase can be refunded',
  ),
  mutant('db/subscription/late-approval.ts', ' and s.credential_secret_ref is null', '', MANDATE),
  named(
    'db/session/session-commands.ts',
    'update payments set cancel_requested_at = coalesce(cancel_requested_at, service_clock())',
    'update payments set cancel_requested_at = null',
    ASKED,
    'though the cancel itself did not reach it',
  ),
  mutant('db/dispute/stop-renewing.ts', 'charging_stopped: true,', '', DISPUTES),
  named(
    'db/dispute/stop-renewing.ts',
    'if (goesOn) return false;',
    '',
    'test/workflows/dispute/disputes.test.ts',
    'a subscription whose merchant decided otherwise',
  ),
  mutant(
    'db/refund/create-refund.ts',
    "coalesce(timestamptz 'epoch' + derived_ms(id) * interval '1 ms', created_at)",
    'created_at',
    DIFFERENCES,
  ),
  mutant(
    'db/refund/create-refund.ts',
    'or right(id, 16) = right(derived_refund_id(',
    'or id = right(derived_refund_id(',
    DIFFERENCES,
  ),
  mutant(
    'db/restore/compare.ts',
    'left join payments p on p.id = l.reference and p.rail_account_id = a.id',
    'left join payments p on p.id = l.reference',
    DIFFERENCES,
  ),
  mutant(
    'db/restore/close-differences.ts',
    "on f.kind = 'charge' and p.id = f.reference and p.rail_account_id = f.rail_account_id",
    "on f.kind = 'charge' and p.id = f.reference",
    DIFFERENCES,
  ),
  mutant('db/restore/differences.ts', 'await moveToTheirAccounts(tx, ofThisEpoch);', '', DIFFERENCES),
  mutant('db/restore/differences.ts', 'and c.rail_account_id = f.rail_account_id', '', DIFFERENCES),
  mutant('db/subscription/claim-charge.ts', "f.state in ('open', 'later', 'person')", 'false', DIFFERENCES),
  named(
    'activities/payment/reconcile.ts',
    "const mark = await markReturn(deps, call.reference);\n  if (!mark) return { kind: 'open' };",
    "const mark = { until: 'infinity', before: null, refused: 0, signal: callSignal(deps) };",
    BY_HAND,
    'what an operator gave back while the rail was being asked',
  ),
  named(
    'activities/payment/reconcile.ts',
    'return isOver(signal) ? null : { ...mark, signal };',
    'return { ...mark, signal: callSignal({ session }) };',
    BY_HAND,
    'a return is not sent when its mark took longer',
  ),
  named(
    'db/payment/orphaned-charges.ts',
    'return_deadline is null or return_deadline < service_clock()',
    'true',
    BY_HAND,
    'a return by hand is refused while a call',
  ),
  named(
    'db/payment/orphaned-charges.ts',
    'former.return_deadline::text as before',
    'null::text as before',
    BY_HAND,
    'an earlier unanswered call still blocks',
  ),
  mutant(
    'db/subscription/renew-subscription.ts',
    'putOff(subscription.dunning, dueAt ?? now, laterAt ?? now)',
    'subscription.dunning',
    'test/db/subscription/renew-subscription.test.ts',
  ),
  mutant(
    'db/subscription/settle-charge.ts',
    'dunning: subscription.dunning && putOff(subscription.dunning, claimedAt, againAt),',
    '',
    'test/db/subscription/renew-subscription.test.ts',
  ),
  mutant(
    'db/subscription/settle-charge.ts',
    'if (await isStranded(tx, subscription.id, invoice.id))',
    'if (false)',
    'test/db/subscription/record-charge.test.ts',
  ),
  mutant(
    'db/subscription/end-subscription.ts',
    '...(lastPaid && { current_period_start: lastPaid.start, current_period_end: lastPaid.end }),',
    '',
    'test/db/subscription/renew-subscription.test.ts',
  ),
  named(
    'activities/payment/rail-trouble.ts',
    'disableRefusedAccount(deps.pool, railAccountId, sealedCredential)',
    'disableRefusedAccount(deps.pool, railAccountId)',
    'test/workflows/payment/refused-credential.test.ts',
    'got a new credential meanwhile',
  ),
  mutant(
    'db/payment/unapplied-news.ts',
    'join payments p on p.id = n.reference and p.rail_account_id = n.rail_account_id\n    left join invoices',
    'join payments p on p.id = n.reference left join invoices',
    'test/db/payment/foreign-news.test.ts',
  ),
  mutant(
    'db/refund/refund-sweep.ts',
    'where r.id = n.reference and r.rail_account_id = n.rail_account_id and n.applied_at is null',
    'where r.id = n.reference and n.applied_at is null',
    'test/db/payment/foreign-news.test.ts',
  ),
  mutant(
    'api/server.ts',
    "if (path.includes('/:merchantId')) mounted.all(strangers);",
    '',
    'test/api/http/strangers.test.ts',
  ),
  mutant(
    'secrets/secret-box.ts',
    'JSON.stringify([table, column, row])',
    'JSON.stringify([table, column])',
    'test/secrets/secret-box.test.ts',
  ),
  mutant(
    'api/webhook/webhook-endpoints/endpoint-url.ts',
    'return isAllowedAddress(address, { allowLoopback })',
    'return true',
    'test/api/webhook/webhook-endpoints.test.ts',
  ),
  named(
    'db/session/close-method-change.ts',
    'const subscription = await lockSubscription(tx, subscriptionId);\n  if (await isSuperseded(tx, session.id)) return ended;',
    'if (await isSuperseded(tx, session.id)) return ended;\n  const subscription = await lockSubscription(tx, subscriptionId);',
    'test/workflows/session/method-change.test.ts',
    'while it is being recorded',
  ),
  named(
    'db/session/close-method-change.ts',
    '  if (await isSuperseded(tx, session.id)) return ended;\n',
    '',
    'test/workflows/session/method-change.test.ts',
    'is superseded by a newer one',
  ),
  mutant(
    'db/session/find-session.ts',
    'case when c.asks_email then typed.email else u.email end as email',
    'coalesce(typed.email, u.email) as email',
    'test/api/session/create-checkout.test.ts',
  ),
  named(
    'activities/sweep/sweep.ts',
    "  { name: 'replace stuck runs of endpoints', seconds: 1, run: replaceStuckEndpoints },\n",
    '',
    SWEEP,
    'replaces the stuck run of an endpoint',
  ),
  named(
    'temporal/stuck-runs.ts',
    'return failures.length >= TRIES - 1;',
    'return false;',
    SWEEP,
    'replaces a stuck run that signals reach',
  ),
  named(
    'temporal/stuck-runs.ts',
    '(isIdle(run) && isDeaf(newestFirst))',
    'true',
    SWEEP,
    'only wakes a run that hears it',
  ),
  named(
    'db/operations/customer-data.ts',
    `select p.id from payments p join checkouts c on c.id = p.checkout_id where c.customer_id = \${id}\n    union all `,
    '',
    EXPORT,
    'is exported with every card and dispute',
  ),
  named(
    'db/operations/customer-data.ts',
    `from disputes d join \${paymentsOf(id)} p on p.id = d.payment_id\`)},\n        'subscriptions'`,
    `from disputes d where false\`)},\n        'subscriptions'`,
    EXPORT,
    'is exported with every card and dispute',
  ),
  ofWorkflow(
    'session/session-attempt.ts',
    "mustEnd(view) ? 'open' : ",
    '',
    CHECKOUT,
    'open at expiry is cancelled at the rail',
  ),
  ofWorkflow(
    'session/session-commands.ts',
    "? await lookUp(run, asked, paymentId, 'open')",
    '? asked',
    CHECKOUT,
    'cancelled by the buyer ends only once the rail has cancelled it',
  ),
  ofWorkflow(
    'session/session-commands.ts',
    'patched(MEMORY_IS_STALE) ? database.loadCheckout(checkoutId) : view',
    'view',
    CHECKOUT,
    'does not delay the end of a session',
  ),
  named(
    'activities/session/session-attempts.ts',
    'if (recorded && !agrees) {',
    'if (recorded && !recorded) {',
    'test/workflows/session/checkout.test.ts',
    'yields to the rail',
  ),
  ofWorkflow(
    'session/checkout.ts',
    "inbox.put({ kind: 'cancel', what: 'session' })",
    '{}',
    CHECKOUT,
    'ends with the session when an operator requests its cancellation in Temporal UI',
  ),
  named(
    'activities/payment/compare-with-rail.ts',
    "agrees: (outcome.kind === 'approved') === (request.outcome === 'succeeded')",
    'agrees: true || request',
    'test/workflows/session/checkout.test.ts',
    'yields to the rail',
  ),
  named(
    'activities/payment/rail-attempt.ts',
    "if (said.outcome.kind !== 'challenge') return said;",
    "if (said.outcome.kind === 'challenge' || paymentId) return said;",
    'test/workflows/subscription/subscription.test.ts',
    'ends an off-session challenge',
  ),
  ofWorkflow(
    'core/resolve.ts',
    'await database.answerResolveRequest({ requestId, answer: `refused:',
    '',
    BILLING,
    'overrides the operator once the rail answers',
  ),
  ofWorkflow(
    'subscription/subscription.ts',
    "!view.openPayment || patched('a-new-run-while-a-charge-is-open')",
    '!view.openPayment',
    'core/long-history',
    'a subscription continues as new during an open charge',
  ),
  ofWorkflow(
    'subscription/subscription-commands.ts',
    "view.openPayment?.paymentId === command.paymentId ? lookUpCharge(run, view, 'asked') : view",
    'view',
    BILLING,
    'is looked up at once when the rail sends news',
  ),
  ofWorkflow(
    'subscription/subscription-commands.ts',
    'const woken = await database.loadSubscription(subscriptionId);',
    'const woken = view;',
    'subscription/subscription-sweep',
    'wakes a subscription that sleeps past its due time',
  ),
  ofWorkflow(
    'subscription/subscription-commands.ts',
    'woken.openPayment?.called && woken.wakeAsksRail ?',
    'false ?',
    'core/asked-lookups',
    'charge that the sweep finds overdue',
  ),
  ofWorkflow(
    'core/insist.ts',
    'restoreDetails();\n          return result;',
    'return result;',
    'payment/unrecorded-outcome',
    'is over in Temporal UI once the cause is gone',
  ),
  ofWorkflow(
    'refund/resolve-refund.ts',
    "if (recorded.status !== 'pending' && recorded.status !== request.outcome) {",
    'if (!told) {',
    REFUNDS,
    'the rail’s answer overrides the operator’s',
  ),
  ofWorkflow(
    'refund/resolve-refund.ts',
    'if (requestId) await database.answerResolveRequest(',
    '',
    REFUNDS,
    'is settled by a stored request',
  ),
  ofWorkflow(
    'refund/refund-lookup.ts',
    'patienceOver: quickLookupsOver(run.lookups, run.timings.reconcileSeconds)',
    'patienceOver: false',
    REFUNDS,
    'waits for an operator while the rail is silent',
  ),
  ofWorkflow(
    'payment/reconcile.ts',
    'await condition(() => hasNews, delayMs',
    'await condition(() => hasNews && false, delayMs',
    'payment/return-orphan',
    'ends the workflow’s sleep',
  ),
  mutant(
    'api/http/idempotency.ts',
    'if (isFenced) throw',
    'if (false) throw',
    'test/api/session/restored.test.ts',
  ),
  mutant('db/payment/rail-calls.ts', ` and not \${isStopped}\n`, '\n', DISPUTES),
  mutant('db/payment/rail-calls.ts', `      and \${isStopped}\n`, '', DISPUTES),
  named(
    'activities/payment/rail-attempt.ts',
    '  await neverSendStopped(deps.pool, paymentId);',
    '',
    'test/workflows/dispute/disputes.test.ts',
    'claimed and not sent',
  ),
  mutant('db/payment/rail-calls.ts', "'-infinity') < r.compared_at", "'-infinity') is not null", DIFFERENCES),
  mutant(
    'db/subscription/renew-subscription.ts',
    'effective_at <= ',
    'effective_at is distinct from ',
    'test/db/subscription/subscription-operations.test.ts',
  ),
  mutant(
    'db/subscription/subscription-changes.ts',
    'if (effectiveAt !== null && Date.parse(effectiveAt) <= Date.parse(subscription.now))',
    'if (false)',
    'test/db/subscription/subscription-operations.test.ts',
  ),
  mutant(
    'db/webhook/backlog.ts',
    'or delivery.next_attempt_at <= delivery.created_at\n',
    'or false\n',
    'test/db/webhook/backlog.test.ts',
  ),
  mutant('db/refund/refund-calls.ts', 'and (r.released_at < c.compared_at) is not false', '', REFUND),
  mutant('db/restore/close-differences.ts', 'if (withheld.length > 0) return', 'if (false) return', REFUND),
  named(
    'activities/refund/refund.ts',
    'if (atRail <= returnedHere) return',
    'if (true) return',
    'test/workflows/refund/refund.test.ts',
    'is withheld at an account that a restore could not compare',
  ),
  named(
    'activities/refund/refund.ts',
    "if (outcome.kind === 'succeeded' || outcome.kind === 'pending') returnedHere",
    'returnedHere',
    'test/workflows/refund/refund.test.ts',
    'sent back would make up for the lost one',
  ),
];
