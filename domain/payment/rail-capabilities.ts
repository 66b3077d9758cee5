import type { Wallet } from './payment-method.ts';

/** The capabilities of a rail account. Undeclared ones are rejected before a call. */
export interface RailCapabilities {
  /** Card fields can be embedded in the hosted page. */
  readonly cardFields: boolean;
  /** Mandates can be stored and charged later without the buyer. */
  readonly recurring: boolean;
  readonly wallets: readonly Wallet[];
  readonly refunds: boolean;
  /** ISO 4217 codes that the account can charge, including currencies that the service does not sell in yet. */
  readonly currencies: readonly string[];
}
