/** The merchant's owner at work during sales: prices, keys, endpoints and events, each with a log-in. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../core/random.ts';
import type { Recorder } from '../core/record.ts';
import type { Place } from '../place/place.ts';
import { askAsOwner } from './as-owner.ts';
import { type Answer, type Call, sendUntilAnswered } from './calls.ts';

const WITHIN_MS = 30_000;

export class BackOffice {
  readonly #place: Place;
  readonly #recorder: Recorder;

  constructor(place: Place, recorder: Recorder) {
    this.#place = place;
    this.#recorder = recorder;
  }

  /** One operation at a time; no kind is repeated before every kind has been done once. */
  async work(random: Random, signal: AbortSignal): Promise<void> {
    const { merchant } = this.#place;
    const endpoint = `/webhook-endpoints/${merchant.endpointId}`;
    const kinds: readonly (() => Promise<unknown>)[] = [
      () => this.#newPrice(random),
      () => this.#post(`${endpoint}/test`),
      () => this.#post(`${endpoint}/recover`, { since: this.#recorder.startedAt }),
      () => this.#resend(random),
      () => this.#rotateSecret(`${endpoint}/rotate-secret`),
      () => this.#rotateKey(),
    ];
    let bag: (() => Promise<unknown>)[] = [];
    while (!signal.aborted) {
      if (bag.length === 0) bag = random.shuffle(kinds);
      await bag.pop()?.();
      await pause(random.between(1_000, 5_000), undefined, { signal }).catch(() => {});
    }
  }

  /** Sets a new price; open sessions keep theirs. */
  #newPrice(random: Random): Promise<Answer> {
    const terms = { amount: random.between(1_500, 2_500), tax_rate: 19, billing_mode: 'one_time' };
    return this.#post(`/products/${this.#place.products.oneTime}/prices`, terms);
  }

  async #resend(random: Random): Promise<void> {
    const { status, body } = await this.#send('GET', '/webhook-events');
    if (status === 200 && body.data.length > 0)
      await this.#post(`/webhook-events/${random.pick<{ id: string }>(body.data).id}/resend`, {});
  }

  /** Old and new secret both sign for a day; a second rotation is refused during that time. */
  async #rotateSecret(path: string): Promise<void> {
    const { status, body } = await this.#post(path, { overlap: true });
    if (status !== 200) return;
    this.#recorder.canaries.add(body.secret);
    this.#place.receiver.trust(body.secret);
  }

  /** The former key stays valid, and the merchant's server keeps it: a restore may lose the new one. */
  async #rotateKey(): Promise<void> {
    const { merchant, apiUrl } = this.#place;
    const { status, body } = await this.#post(`/api-keys/${merchant.apiKeyId}/rotate`, { overlap_hours: 24 });
    if (status !== 201) return;
    this.#recorder.canaries.add(body.key);
    const headers = { authorization: `Bearer ${body.key}` };
    const call = { method: 'GET', url: `${apiUrl}/v1/products`, headers } as const;
    await sendUntilAnswered(this.#recorder, call, WITHIN_MS);
  }

  #post(path: string, body?: object): Promise<Answer> {
    return this.#send('POST', path, body);
  }

  #send(method: Call['method'], path: string, body?: object): Promise<Answer> {
    return askAsOwner({ place: this.#place, recorder: this.#recorder }, method, path, body);
  }
}
