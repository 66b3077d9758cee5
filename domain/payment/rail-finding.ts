/** Possible findings when an account is checked at its processor. Clients translate the codes. */
export const RAIL_FINDINGS = [
  'credential_incomplete',
  'credential_wrong_mode',
  'credential_of_other_account',
  'publishable_key_mismatch',
  'account_not_asked',
  'account_found',
  'account_active',
  'account_not_active',
  'charges_off',
  'currency_taken',
  'currency_not_taken',
  'cards_stored',
  'cards_not_stored',
  'refunds_read',
  'refunds_not_possible',
  'wallet_taken',
  'wallet_not_registered',
  'wallets_unknown',
  'webhooks_complete',
  'webhook_secret_missing',
  'webhook_endpoint_missing',
  'webhook_events_missing',
  'webhooks_not_read',
  'no_answer_in_time',
] as const;
export type RailFindingCode = (typeof RAIL_FINDINGS)[number];

export interface RailFinding {
  readonly ok: boolean;
  readonly code: RailFindingCode;
  /** Values inserted into the text: a currency, an account. `why` is a reason code or the processor's own text. */
  readonly values: Readonly<Record<string, string>>;
  /** For the operator, in English. */
  readonly text: string;
}
