/** POST /v1/merchants/:merchantId/rail-accounts: a new account at a card processor, or new keys for an existing one. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { probedRailAccountAnswer, railAccountToSet } from '../../../contract/merchant/rail-accounts.ts';
import type { Rail } from '../../../rail/rail.ts';
import { ApiError, invalidRequest } from '../../http/errors.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { setRailAccount } from './account-changes.ts';
import { PROBE_TIMEOUT_MS, probedAccount } from './probed-account.ts';

export const setRailAccountRoute = merchantRoute((context) => ({
  method: 'post',
  path: '/v1/merchants/:merchantId/rail-accounts',
  allow: ['operate'],
  describe,
  answer: async (request, { merchantId, actor }) => {
    const { environment, ...fields } = parseRequest(railAccountToSet, request.body);
    refuseUnknownFields(context.rails.get(fields.rail), fields.credential);
    const scope = { merchantId, environment };
    const by = { actor, timeoutMs: PROBE_TIMEOUT_MS };
    const answer = await setRailAccount(
      { ...context, ...context.config.operator, apiKeyPepper: () => context.config.secrets.apiKeyPepper },
      { ...fields, scope, ...by },
    );
    if (answer.kind === 'refused') throw new ApiError('rail_account_refused', { message: answer.why });
    return probedAccount(context.pool, merchantId, answer.accountId, answer.probe);
  },
}));

/** @throws ApiError 400, whose message names fields but never their values */
function refuseUnknownFields(rail: Rail | undefined, credential: Readonly<Record<string, string>>): void {
  if (!rail?.credentialFields || !rail.probe) {
    throw invalidRequest('rail is not configured, or its accounts cannot be set here.', {
      field: 'rail',
      reason: 'unknown_value',
    });
  }
  const known = rail.credentialFields.map(({ name }) => name);
  const given = Object.keys(credential);
  if (given.length === 0)
    throw invalidRequest(`credential is empty; it accepts ${known.join(', ')}.`, {
      field: 'credential',
      reason: 'required',
    });
  if (given.some((name) => !known.includes(name)))
    throw invalidRequest(`credential accepts only ${known.join(', ')}.`, {
      field: 'credential',
      reason: 'not_accepted',
    });
}

const describe: OperationDescription = {
  operationId: 'setRailAccount',
  tag: 'Rail accounts',
  summary: 'Set a rail account',
  description:
    'For `platform` people. Asks the processor for the account’s capabilities, which can take some seconds; ' +
    '`findings` describe them. An account that cannot take cards yet stays `activating` and cannot be ' +
    'used for sales until a check finds that it can. If the processor does not identify the account (mistyped keys, keys ' +
    'of the other mode, no answer in time), they are refused and nothing changes.\n\n' +
    'At a rail where the merchant already has an account, these are new keys for it: keys of another ' +
    'account are refused, since open payments could not be looked up with them, unless `replace` is set. ' +
    'With `replace`, an account that the merchant has used before is in use again under its id, and the cards that are ' +
    'stored there can be charged again.\n\n' +
    'Above `SECOND_PERSON_ABOVE`, production’s account is replaced, and its stored keys are changed, by two people: the ' +
    'first response is `rail_account_refused` with a request that a colleague confirms, and the same keys are then set ' +
    'again. The merchant receives `billing.operational_alert` (`rail_account_replaced`, `rail_account_keys_changed`).\n\n' +
    'The credential is stored encrypted and appears in no response, log or audit entry.',
  body: {
    schema: railAccountToSet,
    example: {
      environment: 'sandbox',
      rail: 'stripe',
      credential: { secretKey: 'sk_test_…', publishableKey: 'pk_test_…', webhookSecret: 'whsec_…' },
    },
    required: true,
  },
  answers: {
    200: { description: 'The account as stored, and the processor’s findings.', ...probedRailAccountAnswer },
  },
  errors: ['rail_account_refused'],
};
