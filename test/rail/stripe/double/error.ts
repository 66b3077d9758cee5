/** The body of a Stripe error. */
export interface StripeErrorBody {
  readonly type: 'card_error' | 'invalid_request_error' | 'idempotency_error' | 'api_error';
  readonly code?: string;
  readonly decline_code?: string;
  readonly advice_code?: string;
  readonly param?: string;
  readonly message?: string;
  readonly payment_method?: object;
}

export class DoubleRefusal extends Error {
  readonly status: number;
  readonly body: StripeErrorBody;

  constructor(status: number, body: StripeErrorBody) {
    super(body.code ?? body.type);
    this.status = status;
    this.body = body;
  }
}

export function badRequest(code: string, param?: string, status = 400): DoubleRefusal {
  return new DoubleRefusal(status, { type: 'invalid_request_error', code, ...(param && { param }) });
}
