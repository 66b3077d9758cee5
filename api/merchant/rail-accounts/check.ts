/**
 * POST /v1/merchants/:merchantId/rail-accounts/:railAccountId/check: asks the processor for the account's
 * current capabilities.
 */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  exampleProbedRailAccount,
  exampleRailAccount,
  probedRailAccountAnswer,
  railAccountCheck,
} from '../../../contract/merchant/rail-accounts.ts';
import { findMerchantRailAccount } from '../../../db/merchant/rail-accounts.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import { refuseOtherMerchantInBody } from '../../http/auth/own-merchant.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';
import { accessOf, actorOf } from '../../http/exchange.ts';
import { readJsonBody } from '../../http/request/json-body.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import type { Route } from '../../http/route.ts';
import { merchantPath } from '../core/merchant-of-request.ts';
import { checkRailAccount } from './account-changes.ts';
import { PROBE_TIMEOUT_MS, RAIL_ACCOUNTS, sendProbed } from './probed-account.ts';

/** Ids of rail accounts may be the processor's own (`acct_…`). */
const ID = /^[\w-]{1,100}$/;

export function checkRailAccountRoute(context: ApiContext, gate: MerchantGate): Route {
  const { pool } = context;

  const check: RequestHandler = async (request, response) => {
    const { apply } = parseRequest(railAccountCheck, request.body);
    const accountId = String(request.params.railAccountId);
    const { merchantId } = accessOf(response);
    const theirs = ID.test(accountId) && (await findMerchantRailAccount(pool, merchantId, accountId));
    const by = { actor: actorOf(response), timeoutMs: PROBE_TIMEOUT_MS };
    const answer = theirs && (await checkRailAccount(context, { accountId, apply, ...by }));
    if (!answer || answer.kind === 'unknown') throw new ApiError('rail_account_not_found');
    if (answer.kind === 'refused') throw new ApiError('rail_account_refused', { message: answer.why });
    await sendProbed(pool, response, accountId, answer.probe);
  };
  return {
    method: 'post',
    path: `${RAIL_ACCOUNTS}/:railAccountId/check`,
    handlers: [...gate.allow('operate'), readJsonBody, refuseOtherMerchantInBody, check],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'checkRailAccount',
  tag: 'Rail accounts',
  summary: 'Check a rail account',
  description:
    'For `platform` people. Asks the processor and reports the account’s capabilities, and reasons for missing ones. An ' +
    '`activating` account that can take cards becomes `active`; the capabilities of an active one change only with `apply`, which ' +
    'also reactivates a `disabled` one. `rail_account_refused`: another account is active, or this one ' +
    'changed while its processor was being asked. A processor that does not answer in time is a finding, and ' +
    'nothing is stored.',
  security: 'person',
  path: merchantPath.extend({ railAccountId: z.string().meta({ example: exampleRailAccount.id }) }),
  body: { schema: railAccountCheck, example: { apply: true }, required: false },
  answers: {
    200: {
      description: 'The account as stored, and the processor’s findings.',
      schema: probedRailAccountAnswer,
      example: exampleProbedRailAccount,
    },
  },
  errors: ['rail_account_not_found', 'rail_account_refused'],
};
