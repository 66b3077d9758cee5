/** What an account does not declare is refused here, before any call (design: Rail). */
import type { RailAccount } from './rail.ts';

/** The service asked an account for something that it does not declare: a bug, the caller checks first. */
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
