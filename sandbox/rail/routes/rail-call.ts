/** The common steps of an adapter's call: authentication, record, injected faults, response. */
import type { Request, RequestHandler } from 'express';
import type { Operation } from '../core/operation-names.ts';
import { Refusal } from '../core/refusal.ts';
import { type Account, accountBySecret } from '../db/accounts.ts';
import { recordBusy, recordRequest } from '../db/requests.ts';
import type { Context } from '../operations/context.ts';
import { asRefusal } from './errors.ts';
import { applyFaultBefore, cutConnection, sendThroughFault } from './fault-effects.ts';

export interface RailCall {
  readonly account: Account;
  readonly request: Request;
  /** Null if no idempotency key was sent. */
  readonly idempotencyKey: string | null;
}

export interface Reply {
  readonly body: unknown;
  /** Cut the connection after the commit instead of answering. */
  readonly drop?: boolean;
}

/** Charges need an active account; other calls also serve accounts that no longer charge. */
const TAKES_MONEY: readonly Operation[] = ['authorize', 'chargeStored'];

/** Error codes after which the same call may be repeated. */
const BUSY = ['rate_limited', 'lock_timeout'];

/** @param handle returns null to cut the connection without effect */
export function railCall(
  context: Context,
  operation: Operation,
  handle: (call: RailCall) => Promise<Reply | null>,
): RequestHandler {
  return async (request, response) => {
    const account = await authenticate(context, request);
    const reference = referenceOf(request);
    const idempotencyKey = request.get('Idempotency-Key') ?? null;
    const received = { account: account?.id ?? null, operation, reference, idempotencyKey };
    const sequence = await recordRequest(context.pool, received);
    if (!account) throw new Refusal(401, 'credentials_invalid', 'unknown credentials');
    if (TAKES_MONEY.includes(operation)) assertActive(account);
    const fault = context.faults.take({ operation, account: account.id, reference });
    const take = async () => {
      if (fault && !(await applyFaultBefore(fault, response))) return undefined;
      return handle({ account, request, idempotencyKey });
    };
    const reply = await take().catch(async (error: unknown) => {
      if (BUSY.includes(asRefusal(error).code)) await recordBusy(context.pool, sequence);
      throw error;
    });
    if (reply === undefined) return;
    context.wake();
    if (!reply || reply.drop) return cutConnection(response);
    await sendThroughFault(fault, response, reply.body);
  };
}

async function authenticate({ pool }: Context, request: Request): Promise<Account | null> {
  const secret = /^Bearer (\S+)$/i.exec(request.get('Authorization') ?? '')?.[1];
  return secret ? accountBySecret(pool, secret) : null;
}

export function assertActive({ status }: Account): void {
  if (status !== 'active') throw new Refusal(403, `account_${status}`, `the account is ${status}`);
}

function referenceOf(request: Request): string | null {
  const reference: unknown = request.params.reference ?? request.body?.reference;
  return typeof reference === 'string' ? reference.slice(0, 200) : null;
}
