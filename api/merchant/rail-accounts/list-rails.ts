/** GET /v1/merchants/:merchantId/rails: rails on which an account can be set, and the fields of its credential. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { settableRailList } from '../../../contract/merchant/rails.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

export const listRailsRoute = merchantRoute(({ rails }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/rails',
  allow: ['read'],
  describe,
  answer: () => {
    const data = [...rails.values()].flatMap(({ name, probe, credentialFields }) =>
      probe && credentialFields ? [{ name, credential_fields: credentialFields.map(pick) }] : [],
    );
    return { data };
  },
}));

const pick = ({ name, description }: { readonly name: string; readonly description: string }) => ({
  name,
  description,
});

const describe: OperationDescription = {
  operationId: 'listRails',
  tag: 'Dashboard',
  summary: 'Card processors',
  description:
    'The rails of this installation at which accounts can be set up, with the fields of their credentials.',
  answers: { 200: { description: 'All.', ...settableRailList } },
};
