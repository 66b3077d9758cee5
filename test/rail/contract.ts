/**
 * The contract of `rail/rail.ts`, which every adapter passes. An adapter's test supplies a driver
 * (`contract/driver.ts`) that acts as buyer and bank and reads the processor's books.
 */
import { afterAll, beforeAll, describe } from '@jest/globals';
import { asTheServiceKeeps } from './contract/calls.ts';
import { cancel } from './contract/cancel.ts';
import { disputes } from './contract/disputes.ts';
import type { RailDriver, Subject } from './contract/driver.ts';
import { faults } from './contract/faults.ts';
import { idempotency } from './contract/idempotency.ts';
import { outcomes } from './contract/outcomes.ts';
import { refunds } from './contract/refunds.ts';
import { refusals } from './contract/refusals.ts';
import { secrets } from './contract/secrets.ts';
import { storingIds } from './contract/storing-ids.ts';
import { webhooks } from './contract/webhooks.ts';

export function railContract({ name, trust, start }: Subject): void {
  describe(`the ${name} rail fulfils the contract`, () => {
    let driver: RailDriver | undefined;
    const world = (): RailDriver => {
      if (!driver) throw new Error('the driver is not running');
      return driver;
    };
    beforeAll(async () => {
      const started = await start();
      driver = { ...started, rail: asTheServiceKeeps(started.rail) };
    });
    afterAll(() => driver?.close());

    outcomes(world);
    storingIds(world);
    idempotency(world, trust);
    cancel(world, trust);
    refunds(world);
    disputes(world);
    webhooks(world);
    faults(world, trust);
    refusals(world);
    secrets(world);
  });
}
