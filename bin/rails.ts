/** The installed rail adapters by name. */

import type { Rail } from '../rail/rail.ts';
import { createSandboxRail } from '../rail/sandbox/index.ts';
import type { OnSkipped } from '../rail/stripe/core/client.ts';
import { createStripeRail } from '../rail/stripe/index.ts';
import type { Config } from './config/read.ts';

export function createRails(config: Pick<Config, 'rails'>, onSkipped?: OnSkipped): ReadonlyMap<string, Rail> {
  const { sandboxUrl, fieldsUrl, stripe } = config.rails;
  const rails: Rail[] = [createStripeRail({ fieldsUrl, ...stripe, ...(onSkipped && { onSkipped }) })];
  if (sandboxUrl) rails.push(createSandboxRail({ baseUrl: sandboxUrl }));
  return new Map(rails.map((rail) => [rail.name, rail]));
}
