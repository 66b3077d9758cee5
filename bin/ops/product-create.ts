import { newProduct } from '../../contract/catalogue/products.ts';
import { createProduct } from '../../db/catalogue/products.ts';
import { findMerchantStatus } from '../../db/merchant/merchants.ts';
import type { OpsCommand } from './core/command.ts';
import { acting, EXIT, given, MERCHANT, print, refuse } from './core/create.ts';

export const productCreate: OpsCommand = {
  usage: 'product create <ap_mer_…> --name <name> [--description <text>] [--external-reference <text>]',
  help: `Creates a product, for both environments. It can be sold once it has a price.\n\n${EXIT}`,
  async run(args, ops) {
    const names = ['name', 'description', 'external-reference'];
    const { ids, fields, json } = given(args, names, [MERCHANT], newProduct, (values) => ({
      name: values.name,
      description: values.description,
      external_reference: values['external-reference'],
    }));
    const [merchantId = ''] = ids;
    if (!(await findMerchantStatus(ops.pool, merchantId))) return refuse('merchant_not_found');
    const product = await createProduct(ops.pool, merchantId, fields, await acting(ops));
    return typeof product === 'string' ? refuse(product) : print(product, json, [`Product ${product.id}`]);
  },
};
