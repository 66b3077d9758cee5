/** The webhook endpoints of a key's environment. */
import type { HostedCheckout, WebhookEndpoint } from '../../src/index.ts';
import { UsageError } from './command.ts';

/**
 * Returns the endpoint with this id or, without an id, all endpoints of the key's environment.
 *
 * @throws UsageError that lists the endpoints if none has this id
 */
export async function endpointsOf(
  checkout: HostedCheckout,
  merchantId: string,
  id: string | undefined,
): Promise<readonly WebhookEndpoint[]> {
  const { data } = await checkout.merchants.webhookEndpoints.list(merchantId);
  if (id === undefined) return data;
  const found = data.filter((each) => each.id === id);
  if (found.length > 0) return found;
  throw new UsageError(
    `This key's environment has no endpoint ${id}: the sandbox and production have their own. ` +
      `There are: ${listed(data)}.`,
  );
}

export const listed = (endpoints: readonly WebhookEndpoint[]) =>
  endpoints.map(({ id, url }) => `${id} (${url})`).join(', ') || 'none';
