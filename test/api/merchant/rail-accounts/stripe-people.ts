/** The API for people, with the stateful double of Stripe. */
import { once } from 'node:events';
import { jest } from '@jest/globals';
import type { Rail } from '../../../../rail/rail.ts';
import type { RailAccount, RailProbe } from '../../../../rail/rail-account.ts';
import { createStripeRail } from '../../../../rail/stripe/index.ts';
import { startStripeDouble } from '../../../rail/stripe/double/server.ts';
import { type DoubleAccount, newAccount } from '../../../rail/stripe/double/state.ts';
import { loadDescription } from '../../../rail/stripe/stripe-mock.ts';
import { type PeopleApi, startPeopleApi } from '../../../support/api/people-api.ts';

type Meanwhile = (signal: AbortSignal) => Promise<void>;

export interface StripePeopleApi extends PeopleApi {
  /** Creates an account at Stripe that a merchant can set here. */
  newStripeAccount(name: string): DoubleAccount;
  /** Runs `work` once, just before Stripe is queried about an account, whose row has been read by then. */
  whenAskedNext(work: Meanwhile): void;
  /** Runs `work` once, after Stripe has answered and before the answer is read. */
  whenAnsweredNext(work: Meanwhile): void;
}

export async function startStripePeopleApi(): Promise<StripePeopleApi> {
  const known: DoubleAccount[] = [];
  const double = await startStripeDouble(known, await loadDescription());
  const stripe = createStripeRail({ apiUrl: double.url, fieldsUrl: 'https://fields.example' });
  const next: { asked?: Meanwhile | undefined; answered?: Meanwhile | undefined } = {};
  const interrupted: Rail = {
    ...stripe,
    async probe(account, signal) {
      const { asked, answered } = next;
      Object.assign(next, { asked: undefined, answered: undefined });
      await asked?.(signal);
      const found = await ask(stripe, account, signal);
      await answered?.(signal);
      return found;
    },
  };
  const api = await startPeopleApi({ rails: new Map([['stripe', interrupted]]) });
  return {
    ...api,
    whenAskedNext(work) {
      next.asked = work;
    },
    whenAnsweredNext(work) {
      next.answered = work;
    },
    newStripeAccount(name) {
      const account = newAccount(name);
      known.push(account);
      return account;
    },
    async stop() {
      await double.close();
      await api.stop();
    },
  };
}

/**
 * Makes calls to a processor time out almost immediately.
 * @returns the original time limit
 */
export function hurried(): () => number {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const spy = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 100));
  return () => Math.max(...spy.mock.calls.map(([ms]) => ms));
}

export async function timeIsUp(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

function ask(rail: Rail, account: RailAccount, signal: AbortSignal): Promise<RailProbe> {
  if (!rail.probe) throw new Error(`${rail.name} has no probe`);
  return rail.probe(account, signal);
}

export const keysOf = ({ secretKey, publishableKey, webhookSecret }: DoubleAccount) => ({
  secretKey,
  publishableKey,
  webhookSecret,
});

/** Whether `text` contains any key of the account. */
export function showsKeys(account: DoubleAccount, text: string): boolean {
  return Object.values(keysOf(account)).some((key) => text.includes(key));
}
