/**
 * The statements that run each second, each minute or with each request. Whatever the size of the tables, each
 * reads only the rows it returns: `npm run bench -- plans` measures this, test/db/core/plans.test.ts guards it.
 */

import { deleteOldest, deleteOldKeys } from '../../../db/core/delete-old-rows.ts';
import type { Db, Pool } from '../../../db/core/pool.ts';
import { deleteOldRequestCounts } from '../../../db/core/request-counts.ts';
import { disputedPayments } from '../../../db/dispute/disputed-payments.ts';
import { invoicesDue } from '../../../db/invoice/invoices-due.ts';
import { readBusinessFigures } from '../../../db/operations/business-figures.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { deleteOldPolicyReports } from '../../../db/operations/policy-reports.ts';
import { countFailedReturns, unreturnedOrphans } from '../../../db/payment/orphaned-charges.ts';
import { deleteOldRailWebhooks } from '../../../db/payment/rail-webhooks.ts';
import { deleteOldResolveRequests, unansweredResolveRequests } from '../../../db/payment/resolve-requests.ts';
import {
  paymentsWithUnappliedWebhooks,
  takeUnknownWebhooks,
} from '../../../db/payment/unapplied-webhooks.ts';
import {
  applyWebhooksOfSettledRefunds,
  refundsContradictedByWebhooks,
  refundsWithWebhooks,
  unstartedRefunds,
} from '../../../db/refund/refund-sweep.ts';
import { countWithOpenClicks, deleteDeclines } from '../../../db/session/card-declines.ts';
import { deleteAbandonedSessions, deleteClicks } from '../../../db/session/delete-old-sessions.ts';
import { claimsWithoutCall, unstartedSessions } from '../../../db/session/session-sweep.ts';
import { movesToAnnounce } from '../../../db/subscription/announce-price-move.ts';
import { unstartedSubscriptions } from '../../../db/subscription/read/subscription-sweep.ts';
import { doubtsToRemindOf, overdueRows } from '../../../db/sweep/late-rows.ts';
import { announceRunning } from '../../../db/webhook/announce-running.ts';
import { endpointsLongOverdue, endpointsOverdue } from '../../../db/webhook/due-endpoints.ts';
import { recoverBatch } from '../../../db/webhook/recover-deliveries.ts';
import { listLoggedAttempts, listLoggedEvents } from '../../../db/webhook/search-deliveries.ts';
import { DECLINE_LIMITS } from '../../../domain/session/card-testing.ts';
import { SEEDED } from '../core/seed-purchases.ts';

export interface HotStatement {
  readonly name: string;
  readonly every: 'second' | 'minute' | 'request';
  ask(db: Db): Promise<unknown>;
}

const LIMIT = 500;
/** The seeded rows are up to eighty days old, so each deletion of older rows finds some. */
const DAYS = 79;
const DELETED = 10;
const { merchantId, environment } = SEEDED;
const log = { merchantId, environment, limit: 50 };

const RECOVERY = {
  endpointId: SEEDED.endpointId,
  since: '2020-01-01T00:00:00.000Z',
  until: '2120-01-01T00:00:00.000Z',
  after: null,
  limit: DELETED,
};

export const HOT_STATEMENTS: readonly HotStatement[] = [
  { name: 'claimsWithoutCall', every: 'second', ask: (db) => claimsWithoutCall(db, LIMIT) },
  { name: 'unstartedSessions', every: 'second', ask: (db) => unstartedSessions(db, LIMIT) },
  { name: 'unstartedSubscriptions', every: 'second', ask: (db) => unstartedSubscriptions(db, LIMIT) },
  { name: 'unstartedRefunds', every: 'second', ask: (db) => unstartedRefunds(db, LIMIT) },
  { name: 'overdueSessions', every: 'minute', ask: (db) => overdueRows(db, 'session', LIMIT) },
  { name: 'overdueSubscriptions', every: 'minute', ask: (db) => overdueRows(db, 'subscription', LIMIT) },
  { name: 'movesToAnnounce', every: 'minute', ask: (db) => movesToAnnounce(db, LIMIT) },
  { name: 'announceRunning', every: 'minute', ask: (db) => announceRunning(db, null) },
  { name: 'overdueRefunds', every: 'minute', ask: (db) => overdueRows(db, 'refund', LIMIT) },
  {
    name: 'paymentsWithUnappliedWebhooks',
    every: 'minute',
    ask: (db) => paymentsWithUnappliedWebhooks(db, LIMIT),
  },
  { name: 'takeUnknownWebhooks', every: 'minute', ask: takeUnknownWebhooks },
  { name: 'unreturnedOrphans', every: 'minute', ask: (db) => unreturnedOrphans(db, LIMIT) },
  { name: 'doubtsToRemindOf', every: 'minute', ask: doubtsToRemindOf },
  { name: 'refundsWithWebhooks', every: 'minute', ask: refundsWithWebhooks },
  { name: 'applyWebhooksOfSettledRefunds', every: 'minute', ask: applyWebhooksOfSettledRefunds },
  {
    name: 'refundsContradictedByWebhooks',
    every: 'minute',
    ask: (db) => refundsContradictedByWebhooks(db, LIMIT),
  },
  { name: 'disputedPayments', every: 'minute', ask: (db) => disputedPayments(db, LIMIT) },
  { name: 'unansweredResolveRequests', every: 'minute', ask: (db) => unansweredResolveRequests(db, LIMIT) },
  { name: 'endpointsOverdue', every: 'minute', ask: endpointsOverdue },
  { name: 'endpointsLongOverdue', every: 'minute', ask: (db) => endpointsLongOverdue(db, LIMIT) },
  { name: 'countFailedReturns', every: 'request', ask: (db) => countFailedReturns(db, 'ap_pay_seeded') },
  { name: 'invoicesDue', every: 'minute', ask: (db) => invoicesDue(db, LIMIT) },
  { name: 'deleteOldRequestCounts', every: 'minute', ask: deleteOldRequestCounts },
  { name: 'deleteOldKeys', every: 'minute', ask: (db) => deleteOldKeys(db, DELETED) },
  {
    name: 'deleteAbandonedSessions',
    every: 'minute',
    // Finds no rows. With so few rows the planner hashes tables that it would search by index if they were large.
    ask: (db) => deleteAbandonedSessions(db as Pool, 90, DELETED),
  },
  {
    name: 'countWithOpenClicks',
    every: 'request',
    ask: (db) => countWithOpenClicks(db, 'claim-1', 30, DECLINE_LIMITS),
  },
  { name: 'deleteDeclines', every: 'minute', ask: (db) => deleteDeclines(db, DELETED) },
  { name: 'deleteClicks', every: 'minute', ask: (db) => deleteClicks(db, DAYS, DELETED) },
  { name: 'deleteOldRailWebhooks', every: 'minute', ask: (db) => deleteOldRailWebhooks(db, DAYS, DELETED) },
  {
    name: 'deleteOldRailAnswers',
    every: 'minute',
    ask: (db) => deleteOldest(db, 'rail_answers', DAYS, DELETED),
  },
  { name: 'deleteOldPolicyReports', every: 'minute', ask: (db) => deleteOldPolicyReports(db, DAYS, DELETED) },
  { name: 'deleteOldAudit', every: 'minute', ask: (db) => deleteOldest(db, 'audit_log', DAYS, DELETED) },
  {
    name: 'deleteOldResolveRequests',
    every: 'minute',
    ask: (db) => deleteOldResolveRequests(db, DAYS, DELETED),
  },
  {
    name: 'readBusinessFigures',
    every: 'minute',
    ask: (db) => readBusinessFigures(db, { perMerchant: true }),
  },
  { name: 'recoverBatch', every: 'second', ask: (db) => recoverBatch(db, RECOVERY) },
  { name: 'listIncidents', every: 'request', ask: (db) => listIncidents(db) },
  { name: 'listLoggedEvents', every: 'request', ask: (db) => listLoggedEvents(db, log, null) },
  {
    name: 'listLoggedEvents of a rare type',
    every: 'request',
    ask: (db) => listLoggedEvents(db, { ...log, type: SEEDED.rareEventType }, null),
  },
  {
    name: 'listLoggedEvents with a pending delivery',
    every: 'request',
    ask: (db) => listLoggedEvents(db, { ...log, status: 'pending' }, null),
  },
  { name: 'listLoggedAttempts', every: 'request', ask: (db) => listLoggedAttempts(db, log, null) },
  {
    name: 'listLoggedAttempts that failed',
    every: 'request',
    ask: (db) => listLoggedAttempts(db, { ...log, status: 'failed' }, null),
  },
  {
    name: 'listLoggedAttempts of a rare type',
    every: 'request',
    ask: (db) => listLoggedAttempts(db, { ...log, type: SEEDED.rareEventType }, null),
  },
];
