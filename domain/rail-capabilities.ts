import type { Wallet } from './payment-method.ts';

/** How a rail account may be used. What is not declared is refused before any call. */
export interface RailCapabilities {
  /** Card fields can be embedded in the hosted page. */
  readonly cardFields: boolean;
  /** Mandates can be stored and charged later without the buyer. */
  readonly recurring: boolean;
  readonly wallets: readonly Wallet[];
  readonly refunds: boolean;
  /** ISO 4217 codes that the account can charge, also those that the service does not sell in yet. */
  readonly currencies: readonly string[];
}
