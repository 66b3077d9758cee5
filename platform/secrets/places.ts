/** Where encrypted values are stored: each is bound to its table, column and row (rule 39). */

export interface Place {
  readonly table: string;
  readonly column: string;
  readonly row: string;
}

export const railCredentialOf = (railAccountId: string) =>
  place('rail_accounts', 'credential', railAccountId);
export const methodTokenOf = (claimId: string) => place('clicks', 'method_token', claimId);
/** Also the place of `previous_secret`, to which a rotation moves the value. */
export const webhookSecretOf = (endpointId: string) => place('webhook_endpoints', 'secret', endpointId);
/** A mandate is copied between a customer's payments and subscriptions, so it is bound to the customer. */
export const mandateOf = (customerId: string) => place('customers', 'mandate', customerId);
/** The token's hash identifies the row, whose id does not exist yet when the token is encrypted. */
export const pageTokenOf = (hash: Buffer) => place('checkouts', 'page_token', hash.toString('hex'));
export const pinnedAnswerOf = (scope: string, key: string) =>
  place('idempotency_keys', 'answer', JSON.stringify([scope, key]));
/** The value is never stored: it is encrypted in the preview's URL. */
export const brandingPreview = place('merchants', 'branding_preview', '');

function place(table: string, column: string, row: string): Place {
  return { table, column, row };
}
