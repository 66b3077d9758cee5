/** Fetches the image of a product while it is being saved. */
import { createWebhookAgent } from '../../../platform/outbound/agent.ts';
import { fetchImage } from '../../../platform/outbound/image/fetch-image.ts';
import type { StillImage } from '../../../platform/outbound/image/still-image.ts';
import { createResolve } from '../../../platform/outbound/resolve.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';
import { Lane } from '../../http/lane.ts';

/** Less than a request's time limit of 20 s. */
const TIMEOUT_MS = 5_000;
const lane = new Lane(
  (open) => `${open} product images of this merchant are already being fetched; retry when one is saved.`,
);

export function productImages({ webhooks: { allowLoopback, egressProxy } }: ApiContext['config']) {
  const guarded = { allowLoopback, egressProxy, timeoutMs: TIMEOUT_MS, resolve: createResolve() };
  const agent = createWebhookAgent(guarded);
  /**
   * @throws ApiError 422 with the reason if the URL is not that of an image, 429 if the merchant saves too many at
   * once
   */
  return async (merchantId: string, url: string | null | undefined): Promise<StillImage | null> => {
    if (!url) return null;
    lane.enter(merchantId);
    try {
      const enqueue = <Result>(work: () => Promise<Result>) => lane.enqueue(merchantId, work);
      const image = await fetchImage(url, { agent, timeoutMs: TIMEOUT_MS, enqueue });
      if (typeof image === 'string') throw new ApiError('product_image_refused', { message: image });
      return image;
    } finally {
      lane.leave(merchantId);
    }
  };
}
