/** The demo merchants' accounts at the development provider. */
import type { Role } from '../../../domain/core/permissions.ts';
import type { Account } from '../../identity/accounts.ts';
import type { DemoMerchants } from './demo-merchants.ts';

/** `aud` of the development provider's tokens. */
export const AUDIENCE = 'urn:hosted-checkout:api';

export const OWNER = 'olivia@harbour-coffee.example';
export const PLATFORM = 'paul@checkout.example';

export function devAccounts({ merchant, second }: DemoMerchants): readonly Account[] {
  const person = (id: string, name: string, role: Role, ...merchants: readonly { id: string }[]) => ({
    id,
    name,
    role,
    merchants: merchants.map((each) => each.id),
  });
  return [
    person(OWNER, 'Olivia', 'owner', merchant),
    person('dan@harbour-coffee.example', 'Dan', 'developer', merchant),
    person('sue@harbour-coffee.example', 'Sue', 'support', merchant),
    person('mia@harbour-coffee.example', 'Mia', 'manager', merchant),
    person('ana@harbour-coffee.example', 'Ana', 'analyst', merchant),
    person('otto@second.example', 'Otto', 'owner', second),
    person(PLATFORM, 'Paul', 'platform'),
  ];
}
