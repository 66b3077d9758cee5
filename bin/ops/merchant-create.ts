import { FIRST_KEY, makeApiKey, withSecret } from '../../api/merchant/api-keys/new-key.ts';
import { newMerchant } from '../../contract/merchant/merchants.ts';
import { createMerchant } from '../../db/merchant/merchants.ts';
import type { OpsCommand } from './core/command.ts';
import { acting, EXIT, given, KEY_SHOWN_ONCE, print } from './core/create.ts';

export const merchantCreate: OpsCommand = {
  usage: 'merchant create --name <name>',
  help: `Creates a merchant, and its first API key, for the sandbox. ${KEY_SHOWN_ONCE}\n\n${EXIT}`,
  async run(args, ops) {
    const { fields, json } = given(args, ['name'], [], newMerchant, (values) => values);
    const made = makeApiKey(FIRST_KEY, ops.apiKeyPepper());
    const { merchant, apiKey } = await createMerchant(ops.pool, fields, made.stored, await acting(ops));
    const lines = [`Merchant ${merchant.id}`, `Its key for the sandbox, shown once: ${made.key}`];
    return print({ ...merchant, api_key: withSecret(apiKey, made.key) }, json, lines);
  },
};
