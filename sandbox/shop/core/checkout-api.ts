/** The shop server's API client. Its API key never reaches a browser. */
import { z } from 'zod';
import { type Product, product } from '../../../contract/catalogue/resources.ts';
import { errorBody } from '../../../contract/core/errors.ts';
import { checkoutSession } from '../../../contract/session/checkout.ts';

const TIMEOUT_MS = 10_000;

export interface CheckoutApi {
  products(): Promise<readonly Product[]>;
  /** @returns the URL to send the buyer to */
  createCheckout(request: SessionToCreate): Promise<string>;
}

interface SessionToCreate {
  readonly productId: string;
  readonly externalCustomerId: string;
  readonly successUrl: string;
  readonly failUrl: string;
  readonly reconciliation: { readonly merchantReference: string };
}

/** The API refused the call; `code` gives the reason. */
export class CheckoutRefused extends Error {
  override readonly name = 'CheckoutRefused';
  readonly code: string;
  readonly requestId: string;

  constructor({ code, message, request_id }: z.infer<typeof errorBody>) {
    super(message);
    this.code = code;
    this.requestId = request_id;
  }
}

export function connectCheckoutApi({ apiUrl, apiKey }: { apiUrl: string; apiKey: string }): CheckoutApi {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'service-version': '2026-01-01',
  };

  async function call<Answer>(path: string, answer: z.ZodType<Answer>, body?: unknown): Promise<Answer> {
    const response = await fetch(apiUrl + path, {
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    const json: unknown = await response.json();
    if (!response.ok) throw new CheckoutRefused(errorBody.parse(json));
    return answer.parse(json);
  }

  return {
    products: async () => (await call('/v1/products', z.object({ data: z.array(product) }))).data,
    createCheckout: async (request) => (await call('/v1/checkouts', checkoutSession, request)).hostedUrl,
  };
}
