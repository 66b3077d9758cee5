/** Fetches the picture of a product that is being saved. */
import { createWebhookAgent } from '../../../platform/outbound/agent.ts';
import { fetchImage } from '../../../platform/outbound/image/fetch-image.ts';
import type { StillImage } from '../../../platform/outbound/image/still-image.ts';
import { createResolve } from '../../../platform/outbound/resolve.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';

/** Below the 20 s time limit of a request. */
const TIMEOUT_MS = 5_000;

export function productImages({ webhooks: { allowLoopback, egressProxy } }: ApiContext['config']) {
  const guarded = { allowLoopback, egressProxy, timeoutMs: TIMEOUT_MS, resolve: createResolve() };
  const agent = createWebhookAgent(guarded);
  /** @throws ApiError 422 with the reason if the URL does not lead to an image */
  return async (url: string | null | undefined): Promise<StillImage | null> => {
    if (!url) return null;
    const image = await fetchImage(url, { agent, timeoutMs: TIMEOUT_MS });
    if (typeof image === 'string') throw new ApiError('product_image_refused', { message: image });
    return image;
  };
}
