/**
 * POST /v1/merchants/:merchantId/rail-accounts/:railAccountId/check: asks the processor for the account's
 * current capabilities.
 */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { probedRailAccountAnswer, railAccountCheck } from '../../../contract/merchant/rail-accounts.ts';
import { findMerchantRailAccount } from '../../../db/merchant/rail-accounts.ts';
import { ApiError } from '../../http/errors.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { checkRailAccount } from './account-changes.ts';
import { PROBE_TIMEOUT_MS, probedAccount } from './probed-account.ts';

/** Ids of rail accounts may be the processor's own (`acct_…`). */
const ID = /^[\w-]{1,100}$/;

export const checkRailAccountRoute = merchantRoute((context) => ({
  method: 'post',
  path: '/v1/merchants/:merchantId/rail-accounts/:railAccountId/check',
  allow: ['operate'],
  describe,
  answer: async (request, { merchantId, actor }) => {
    const { pool } = context;
    const { apply } = parseRequest(railAccountCheck, request.body);
    const accountId = String(request.params.railAccountId);
    const theirs = ID.test(accountId) && (await findMerchantRailAccount(pool, merchantId, accountId));
    const by = { actor, timeoutMs: PROBE_TIMEOUT_MS };
    const answer = theirs && (await checkRailAccount(context, { accountId, apply, ...by }));
    if (!answer || answer.kind === 'unknown') return 'rail_account_not_found';
    if (answer.kind === 'refused') throw new ApiError('rail_account_refused', { message: answer.why });
    return probedAccount(pool, merchantId, accountId, answer.probe);
  },
}));

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
  body: { schema: railAccountCheck, example: { apply: true }, required: false },
  answers: {
    200: { description: 'The account as stored, and the processor’s findings.', ...probedRailAccountAnswer },
  },
  errors: ['rail_account_not_found', 'rail_account_refused'],
};
