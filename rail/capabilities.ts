/** Rejects calls that need an undeclared capability, before anything is sent to the processor. */
import type { RailAccount } from './rail-account.ts';

/** Thrown because of a bug: the caller must check the account's capabilities first. */
export class RailCapabilityMissing extends Error {
  override readonly name = 'RailCapabilityMissing';
  readonly capability: string;

  constructor(accountId: string, capability: string) {
    super(`rail account ${accountId} does not declare ${capability}`);
    this.capability = capability;
  }
}

export type CapabilityName = 'cardFields' | 'recurring' | 'refunds';

/** @throws RailCapabilityMissing */
export function assertCapability({ id, capabilities }: RailAccount, name: CapabilityName): void {
  if (!capabilities[name]) throw new RailCapabilityMissing(id, name);
}

/** @throws RailCapabilityMissing */
export function assertCurrencyDeclared({ id, capabilities }: RailAccount, currency: string): void {
  if (!capabilities.currencies.includes(currency))
    throw new RailCapabilityMissing(id, `currency ${currency}`);
}
