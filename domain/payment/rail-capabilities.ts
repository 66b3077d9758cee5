import type { Wallet } from './payment-method.ts';

/** The capabilities of a rail account. Calls that need an undeclared capability are rejected before they are sent. */
export interface RailCapabilities {
  /** Card fields can be embedded in the hosted page. */
  readonly cardFields: boolean;
  /** Mandates can be stored and charged later without the buyer. */
  readonly recurring: boolean;
  readonly wallets: readonly Wallet[];
  readonly refunds: boolean;
  /** ISO 4217 codes that the account can charge, even if the service does not sell in them yet. */
  readonly currencies: readonly string[];
}
