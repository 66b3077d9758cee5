/** Shared by the dashboard's routes of one subscription. */
import type { Request, Response } from 'express';
import type { SubscriptionCommand, SubscriptionDetails } from '../../contract/subscription/details.ts';
import { type AuditEntry, writeAudit } from '../../db/core/audit.ts';
import {
  environmentOfSubscription,
  findSubscriptionDetails,
} from '../../db/subscription/read/subscription-details.ts';
import type { Scope } from '../../domain/core/environment.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { accessOf, actorOf } from '../http/exchange.ts';
import { pathId } from '../http/request/path-id.ts';
import { mayHaveLink, shownSubscription, withoutLink } from './shown-subscription.ts';

export interface SubscriptionOfPath {
  readonly id: string;
  readonly scope: Scope;
}

/** @throws ApiError 404 if the subscription is not the merchant's, or not in the key's environment */
export async function subscriptionOfPath(
  { pool }: ApiContext,
  request: Request,
  response: Response,
): Promise<SubscriptionOfPath> {
  const { merchantId, environment: own } = accessOf(response);
  const id = pathId(request, 'subscriptionId');
  const environment = await environmentOfSubscription(pool, merchantId, own, id);
  if (!environment) throw new ApiError('subscription_not_found');
  return { id, scope: { merchantId, environment } };
}

/** @throws ApiError 404 */
export async function readDetails(
  context: ApiContext,
  response: Response,
  { id, scope }: SubscriptionOfPath,
): Promise<SubscriptionDetails> {
  const details = await findSubscriptionDetails(context.pool, scope, id);
  if (!details) throw new ApiError('subscription_not_found');
  return mayHaveLink(response) ? shownSubscription(context, details) : withoutLink(details);
}

/** A command, or a link that a person asks for. */
type Requested = SubscriptionCommand['command'] | 'method_change' | 'payment_link';

/**
 * Writes the audit row of a person's request. Call before the workflow gets the request, so that a crash in between
 * cannot leave a change without a row. Rejected requests have a row too, recorded as requested.
 */
export function auditRequest(
  { pool }: ApiContext,
  { id, scope }: SubscriptionOfPath,
  response: Response,
  what: Requested,
  asked: AuditEntry['after'],
): Promise<void> {
  return writeAudit(pool, {
    ...scope,
    ...actorOf(response),
    action: `subscription.${what}_requested`,
    subjectId: id,
    before: null,
    after: asked,
  });
}
