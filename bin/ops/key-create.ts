import { makeApiKey, withSecret } from '../../api/merchant/api-keys/new-key.ts';
import { newApiKey } from '../../contract/merchant/api-keys.ts';
import { createApiKey } from '../../db/merchant/api-keys.ts';
import { findMerchantStatus } from '../../db/merchant/merchants.ts';
import type { OpsCommand } from './core/command.ts';
import { acting, EXIT, given, KEY_SHOWN_ONCE, MERCHANT, print, refuse } from './core/create.ts';

export const keyCreate: OpsCommand = {
  usage:
    'key create <ap_mer_…> --environment sandbox|production --name <name> [--scope all|read|catalogue] ' +
    '[--expires-at <instant>]',
  help: `Creates an API key. ${KEY_SHOWN_ONCE}\n\n${EXIT}`,
  async run(args, ops) {
    const names = ['environment', 'name', 'scope', 'expires-at'];
    const { ids, fields, json } = given(args, names, [MERCHANT], newApiKey, (values) => ({
      environment: values.environment,
      name: values.name,
      scope: values.scope,
      expires_at: values['expires-at'],
    }));
    const [merchantId = ''] = ids;
    if (!(await findMerchantStatus(ops.pool, merchantId))) return refuse('merchant_not_found');
    const { expires_at: endsAt, ...terms } = fields;
    const made = makeApiKey({ ...terms, endsAt }, ops.apiKeyPepper());
    const apiKey = await createApiKey(ops.pool, merchantId, made.stored, await acting(ops));
    if (typeof apiKey === 'string') return refuse(apiKey);
    return print(withSecret(apiKey, made.key), json, [`Key ${apiKey.id}, shown once: ${made.key}`]);
  },
};
