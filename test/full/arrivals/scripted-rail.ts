/**
 * The sandbox rail, scripted for each payment: `lost` never reaches it, `silent` is charged but not answered
 * until the rail answers again, `declined` has insufficient funds.
 */
import { type Pool, sql } from '../../../db/core/pool.ts';
import type { RailOutcome } from '../../../rail/outcomes.ts';
import type { Rail, RailTrust } from '../../../rail/rail.ts';

export type Script = 'answered' | 'declined' | 'lost' | 'silent';

const UNKNOWN: RailOutcome = { kind: 'unknown', reason: 'timeout' };
const DECLINED: RailOutcome = {
  kind: 'declined',
  code: 'insufficient_funds',
  retryable: true,
  railReference: null,
  method: null,
};

type Start = Parameters<Rail['authorize']>[0] | Parameters<Rail['chargeStored']>[0];

export class ScriptedRail {
  readonly #scriptOf: (paymentId: string) => Promise<Script>;
  readonly #trust: Partial<RailTrust>;
  readonly #silent = new Set<string>();
  readonly #declined = new Set<string>();
  readonly #begun = new Map<string, Start>();
  #rail: Rail | undefined;

  /** @param scriptOf asked when the payment is sent */
  constructor(scriptOf: (paymentId: string) => Promise<Script>, trust: Partial<RailTrust> = {}) {
    this.#scriptOf = scriptOf;
    this.#trust = trust;
  }

  readonly wrap = (rail: Rail): Rail => {
    this.#rail = rail;
    const answers =
      <Request extends { readonly reference: string }>(ask: (request: Request) => Promise<RailOutcome>) =>
      async (request: Request) => {
        if (this.#declined.has(request.reference)) return DECLINED;
        return this.#silent.has(request.reference) ? UNKNOWN : ask(request);
      };
    const begins =
      <Request extends Start>(ask: (request: Request) => Promise<RailOutcome>) =>
      async (request: Request) => {
        const script = await this.#scriptOf(request.reference);
        this.#begun.set(request.reference, request);
        if (script === 'lost') return UNKNOWN;
        if (script === 'declined') {
          this.#declined.add(request.reference);
          return DECLINED;
        }
        if (script === 'silent') this.#silent.add(request.reference);
        const outcome = await ask(request);
        return script === 'silent' ? UNKNOWN : outcome;
      };
    return {
      ...rail,
      trust: { ...rail.trust, ...this.#trust },
      authorize: begins(rail.authorize.bind(rail)),
      chargeStored: begins(rail.chargeStored.bind(rail)),
      lookup: answers(rail.lookup.bind(rail)),
      cancel: answers(rail.cancel.bind(rail)),
    };
  };

  isSilent(paymentId: string): boolean {
    return this.#silent.has(paymentId);
  }

  speakAgain(paymentId: string): void {
    this.#silent.delete(paymentId);
  }

  /** The call of an attempt arrives again, as if the network repeated it; its answer is lost. */
  async repeat(paymentId: string): Promise<void> {
    const begun = this.#begun.get(paymentId);
    if (!begun || !this.#rail) throw new Error(`${paymentId} was not sent`);
    const again = { ...begun, signal: AbortSignal.timeout(10_000) };
    if ('mandate' in again) await this.#rail.chargeStored(again);
    else await this.#rail.authorize(again);
  }

  /** The rail's own record of a payment, whatever it answers to the service. */
  async truthOf(paymentId: string): Promise<RailOutcome['kind']> {
    return (await this.#ask(paymentId)).kind;
  }

  /** Net cents charged for a payment. */
  async keptOf(paymentId: string): Promise<number> {
    const begun = this.#begun.get(paymentId);
    const outcome = await this.#ask(paymentId);
    if (!begun || !this.#rail || outcome.kind !== 'approved') return 0;
    const { account, reference, amountCents } = begun;
    const { railReference } = outcome;
    const signal = AbortSignal.timeout(10_000);
    const total = await this.#rail.refundedTotal({ account, reference, railReference, signal });
    return amountCents - (total.kind === 'total' ? total.refundedCents + total.pendingCents : 0);
  }

  async #ask(paymentId: string): Promise<RailOutcome> {
    const begun = this.#begun.get(paymentId);
    if (this.#declined.has(paymentId)) return DECLINED;
    if (!begun || !this.#rail) return { kind: 'notFound' };
    const { account, reference, amountCents, currency } = begun;
    const ids = { railReference: null, railCustomer: null, begunAt: null };
    const asked = { amountCents, currency };
    return this.#rail.lookup({ account, reference, ...ids, ...asked, signal: AbortSignal.timeout(10_000) });
  }
}

/** Answers are lost on purpose, so lost attempts must not open the circuit breaker. */
export async function keepBreakerClosed(pool: Pool): Promise<void> {
  await pool.query(sql.unsafe`
    create function uncounted() returns trigger language plpgsql
      as 'begin new.is_attempt := false; return new; end'
  `);
  await pool.query(sql.unsafe`
    create trigger uncounted before insert on rail_answers for each row execute function uncounted()
  `);
}
