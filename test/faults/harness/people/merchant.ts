/** A merchant's server: sells, refunds, renews, cancels, and repeats its requests as the contract advises. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../core/random.ts';
import type { Recorder } from '../core/record.ts';
import type { Place } from '../place/place.ts';
import { askAsOwner } from './as-owner.ts';
import { Buyer, HABITS, type Purchase } from './buyer.ts';
import { type Answer, type Call, isToRepeat, send, sendUntilAnswered } from './calls.ts';
import { CARDS, DECLINED_CARD, FAILS_TWICE, GOOD_CARD, NEW_CARDS, NEW_METHOD_HABITS } from './cards.ts';
import { DURATIONS, LAST_REDEMPTION, OPEN_COUPONS } from './coupons.ts';
import { drawOperations, type Hands, OF_TRIALS, type Operation, operate } from './operations.ts';

/** Longer than any fault lasts, and than the comparison of a restored database, so that no request is abandoned. */
const WITHIN_MS = 600_000;
const DAY_MS = 86_400_000;
/** How long before a charge a clock stops: long enough for the requests that must come first. */
const BRINK_MS = 4_000;
const BRINK_POLLS = 60;
/** Time to open pages and enter cards, so that the clicks come at the same instant. */
const TOGETHER_AFTER_MS = 1_500;
const PRODUCTS = ['oneTime', 'oneTime', 'recurring', 'recurring', 'trial'] as const;

interface Made {
  readonly id: string;
  readonly hostedUrl: string;
}

/** Data that the merchant has read about a paid session. */
interface Sold {
  readonly state: string;
  readonly payment_id: string;
  readonly order_id: string;
  readonly subscription_id: string | null;
  readonly amount: number;
}

interface Sale extends Pick<Purchase, 'card' | 'habit' | 'email' | 'code' | 'clickAt'> {
  readonly made: Made;
}

interface RefundBody {
  readonly paymentId?: string;
  readonly orderId?: string;
  readonly amount: number;
  readonly confirmDispute?: boolean;
}

interface Subscription {
  readonly id: string;
  readonly status: string;
  readonly current_period_end: string | null;
  readonly plan: { readonly id: string };
}

interface Invoice {
  readonly id: string;
  readonly subscription_id: string | null;
  readonly status: string;
}
const UNPAID = new Set(['open', 'payment_failed']);

export class Merchant {
  readonly #place: Place;
  readonly #recorder: Recorder;
  readonly #card: string | undefined;
  /** The latest target requested for each subscription's clock. */
  readonly #asked = new Map<string, string>();
  readonly #operations: ReturnType<typeof drawOperations>;

  /** @param card the only card that buyers use */
  constructor(place: Place, recorder: Recorder, random: Random, card?: string) {
    this.#place = place;
    this.#recorder = recorder;
    this.#operations = drawOperations(random);
    this.#card = card;
  }

  async offerCoupons(): Promise<void> {
    for (const coupon of OPEN_COUPONS) await this.#offer(coupon);
  }

  /** One purchase, from creating the session to the merchant's use of the payment. */
  async sell(random: Random): Promise<void> {
    const product = random.pick(PRODUCTS);
    const [drawn, habit] = [random.pick(CARDS), random.pick(HABITS)];
    const card = this.#card ?? drawn;
    const [isFromBrowser, isPrefilled] = [random.chance(0.2), random.chance(0.5)];
    const later = random.fork();
    const withCoupon = random.fork();
    if (withCoupon.chance(0.1)) return this.#sellLastRedemption(withCoupon);
    const name = `customer-${randomUUID().slice(0, 8)}`;
    const email = this.#newEmail();
    const code = withCoupon.chance(0.3) ? withCoupon.pick(OPEN_COUPONS).code : undefined;
    const isEntered = isFromBrowser || withCoupon.chance(0.5);
    const made = isFromBrowser
      ? await this.#createInBrowser(product)
      : await this.#create(product, name, isPrefilled ? email : null, isEntered ? undefined : code);
    if (!made) return;
    const sale = { made, card, habit, email, code: isEntered ? code : undefined };
    await this.#use(later, await this.#buy(sale), name);
  }

  /**
   * Three buyers click at the same instant, with a code that one of them can redeem. A fourth one enters it while the
   * winner's subscription renews: the code is free again if all have failed.
   */
  async #sellLastRedemption(random: Random): Promise<void> {
    const code = `LAST-${randomUUID().slice(0, 8)}`;
    await this.#offer({ code, percent: 50, max_redemptions: 1, ...random.pick(DURATIONS) });
    const areDeclined = random.chance(0.3);
    const rivals = [0, 1, 2].map(() => ({
      product: random.pick(PRODUCTS),
      name: `customer-${randomUUID().slice(0, 8)}`,
      card: this.#card ?? (areDeclined ? DECLINED_CARD : random.pick(CARDS)),
      habit: random.pick(HABITS),
      later: random.fork(),
    }));
    const sales = await Promise.all(
      rivals.map(async (rival) => {
        const email = this.#newEmail();
        return { ...rival, email, made: await this.#create(rival.product, rival.name, email, code) };
      }),
    );
    const clickAt = performance.now() + TOGETHER_AFTER_MS;
    const bought = await Promise.all(
      sales.map(async ({ made, later, name, ...sale }) => {
        const session = made && (await this.#buy({ ...sale, made, clickAt }));
        return () => this.#use(later, session, name);
      }),
    );
    if (sales.every(({ made }) => made)) this.#recorder.count(LAST_REDEMPTION);
    await Promise.all([...bought.map((use) => use()), this.sellAtOnce(random.pick(PRODUCTS), code)]);
  }

  async #offer(coupon: object): Promise<void> {
    const desk = { place: this.#place, recorder: this.#recorder };
    await askAsOwner(desk, 'POST', '/coupons', { environment: 'sandbox', ...coupon });
  }

  /** @returns the paid session */
  async #buy({ made: { id: sessionId, hostedUrl }, ...sale }: Sale): Promise<Sold | undefined> {
    const purchase = { ...sale, sessionId, hostedUrl, rightEmail: this.#newEmail() };
    if ((await new Buyer(this.#recorder, purchase).buy()) !== 'succeeded') return undefined;
    const session = await this.get(`/v1/checkouts/${sessionId}`);
    return session?.state === 'succeeded' ? session : undefined;
  }

  async #use(random: Random, session: Sold | undefined, externalCustomerId: string): Promise<void> {
    if (!session) return;
    if (session.subscription_id) await this.#live(random, session.subscription_id, externalCustomerId);
    if (session.amount > 0 && random.chance(0.4)) await this.#refundParts(random, session);
    if (random.chance(0.1))
      await this.#post('/v1/manual-charges', { orderId: session.order_id }, randomUUID());
  }

  /**
   * One purchase with a card that pays without a challenge.
   * @returns the session afterwards; undefined if there is none
   */
  async sellAtOnce(product: keyof Place['products'], code?: string): Promise<Sold | undefined> {
    const email = this.#newEmail();
    const made = await this.#create(product, `customer-${randomUUID().slice(0, 8)}`, email, code);
    if (!made) return undefined;
    const [sessionId, hostedUrl, habit] = [made.id, made.hostedUrl, 'plain' as const];
    const purchase = { sessionId, hostedUrl, card: GOOD_CARD, habit, email, rightEmail: email };
    await new Buyer(this.#recorder, purchase).buy();
    return this.get(`/v1/checkouts/${made.id}`);
  }

  async get(path: string): Promise<Answer['body'] | undefined> {
    const answer = await sendUntilAnswered(this.#recorder, this.#call('GET', path), WITHIN_MS);
    return answer.status === 200 ? answer.body : undefined;
  }

  /** 404 counts as a response. */
  async find(path: string): Promise<Answer> {
    return sendUntilAnswered(this.#recorder, this.#call('GET', path), WITHIN_MS);
  }

  /** A request from a page, which needs no key of the merchant. */
  async findAt(url: string): Promise<Answer> {
    return sendUntilAnswered(this.#recorder, { method: 'GET', url }, WITHIN_MS);
  }

  /** Without a key: after an unknown outcome, another session is created (docs/contract.md#failures-of-the-service). */
  async #create(
    product: keyof Place['products'],
    externalCustomerId: string,
    email: string | null,
    couponCode?: string,
  ) {
    const body = {
      productId: this.#place.products[product],
      externalCustomerId,
      couponCode,
      ...(email && { customer: { email } }),
    };
    return this.#made(await this.#post('/v1/checkouts', body));
  }

  async #createInBrowser(product: keyof Place['products']) {
    const { clientId, origin } = this.#place.storefront;
    const number = Object.keys(this.#place.products).indexOf(product);
    return this.#made(
      await sendUntilAnswered(
        this.#recorder,
        {
          method: 'POST',
          url: `${this.#place.apiUrl}/v1/checkout-clients/${clientId}/sessions`,
          headers: { origin },
          key: randomUUID(),
          body: { productReference: this.#place.references[number] },
        },
        WITHIN_MS,
      ),
    );
  }

  #made({ status, body }: Answer): Made | undefined {
    if (status !== 201) return undefined;
    this.#recorder.sessionIds.add(body.id);
    this.#recorder.canaries.add(body.sessionId);
    return { id: body.id, hostedUrl: body.hostedUrl };
  }

  /** Makes up to two refunds, which may together exceed the payment; a request may be sent twice concurrently. */
  async #refundParts(random: Random, session: Sold): Promise<void> {
    const times = random.between(1, 2);
    for (let n = 0; n < times; n++) {
      const amount = random.chance(0.5) ? session.amount : random.between(1, session.amount);
      const isTwice = random.chance(0.3);
      const of = random.chance(0.5) ? { paymentId: session.payment_id } : { orderId: session.order_id };
      await this.refund({ ...of, amount }, isTwice);
    }
  }

  async refund(body: RefundBody, isTwice = false): Promise<void> {
    const call = this.#call('POST', '/v1/refunds', body, randomUUID());
    const twice = isTwice ? send(this.#recorder, call) : undefined;
    const answer = await sendUntilAnswered(this.#recorder, call, WITHIN_MS);
    await twice;
    if (answer.status === 201) this.#recorder.refundIds.add(answer.body.id);
    // The merchant refunds even amounts in spite of the dispute.
    const insists = answer.body?.code === 'payment_disputed' && Number(body.amount) % 2 === 0;
    if (insists) await this.refund({ ...body, confirmDispute: true }, isTwice);
  }

  /** Plays a subscription's life on its own clock. */
  async #live(random: Random, id: string, externalCustomerId: string): Promise<void> {
    const plan = random.pick([
      'renews',
      'renews',
      'renews twice',
      'ends',
      'ends with its period',
      'is cancelled while it renews',
      'new method',
      'another plan',
      'another plan, then cancels the change',
      'another offering',
    ] as const);
    if (plan === 'ends' || plan === 'ends with its period') await this.cancel(id, plan !== 'ends');
    if (plan === 'new method') await this.#changeMethod(random, id, externalCustomerId);
    if (plan.startsWith('another plan')) await this.#changePlan(id, plan !== 'another plan');
    if (plan === 'another offering') await this.#changeOffering(id);
    if (plan === 'is cancelled while it renews') {
      // The renewal's charge is claimed, and may not have been sent yet.
      await this.renew(id, () => 1);
      await this.cancel(id, false);
      return;
    }
    if (plan === 'ends') return;
    const ofTrial = random.fork();
    const hands = this.#handsOn(random.fork(), id, externalCustomerId);
    const play = async (operation: Operation) => {
      if (await operate(operation, id, hands)) this.#recorder.count(operation);
    };
    // A trial can be moved only before it ends.
    const movesTrial = ofTrial.chance(0.4) && (await this.#subscription(id))?.status === 'trialing';
    if (movesTrial) await play(ofTrial.pick(OF_TRIALS));
    for (let n = 0; n < (plan === 'renews twice' ? 2 : 1); n++) {
      if (!(await this.renew(id, () => random.pick([1, 1, 3, 25])))) return;
    }
    if (movesTrial) return;
    const operation = this.#operations.next().value;
    if (operation === null) return;
    await play(operation);
    await hands.renew();
  }

  #handsOn(random: Random, id: string, externalCustomerId: string): Hands {
    const find = () => this.#subscription(id);
    return {
      post: (path, body) => this.#post(path, body, randomUUID()),
      renew: () => this.renew(id, () => 1),
      periodEnd: async () => (await find())?.current_period_end ?? null,
      dearerPlan: this.#place.otherOffering.dearerPlanId,
      failTwice: async () =>
        (await this.#changeMethod(random, id, externalCustomerId, FAILS_TWICE)) === 'succeeded',
      untilCharge: () => this.#untilCharge(id, random.between(-300, 300)),
      unpaidInvoice: async () => {
        const list = await this.get('/v1/invoices');
        return list?.data
          .toReversed()
          .find((each: Invoice) => each.subscription_id === id && UNPAID.has(each.status))?.id;
      },
      payByLink: async (link) => (await this.#changeOnPage(random, link, this.#newEmail())) !== 'unknown',
    };
  }

  /**
   * @param lateMs delay after the instant of the charge; negative to return before it
   * @returns whether the clock came that close to it
   */
  async #untilCharge(id: string, lateMs: number): Promise<boolean> {
    const find = () => this.get(`/v1/merchants/${this.#place.merchant.id}/subscriptions/${id}`);
    const dueIn = async () => {
      const now = await find();
      const at = now?.next_charge_at ?? now?.current_period_end;
      return at ? { at: Date.parse(at), inMs: Date.parse(at) - Date.parse(now.clock) } : undefined;
    };
    const due = await dueIn();
    if (!due) return false;
    if (due.inMs > BRINK_MS) {
      const to = new Date(due.at - BRINK_MS).toISOString();
      await this.#post(`/v1/subscriptions/${id}/advance`, { to }, randomUUID());
    }
    for (let n = 0; n < BRINK_POLLS && (await find())?.clock_target; n++) await pause(BRINK_MS / 4);
    const left = await dueIn();
    await pause(Math.max(0, Math.min(BRINK_MS, left?.inMs ?? 0) + lateMs));
    return left !== undefined && left.inMs <= BRINK_MS;
  }

  /**
   * Moves the subscription's clock to some days after the end of its period.
   * @returns false if it has no period
   */
  async renew(id: string, days: () => number): Promise<boolean> {
    const subscription = await this.#subscription(id);
    if (!subscription?.current_period_end) return false;
    const to = new Date(Date.parse(subscription.current_period_end) + days() * DAY_MS).toISOString();
    this.#asked.set(id, to);
    await this.#post(`/v1/subscriptions/${id}/advance`, { to }, randomUUID());
    return true;
  }

  async cancel(id: string, atPeriodEnd: boolean): Promise<void> {
    await this.#post(`/v1/subscriptions/${id}/cancel`, { at_period_end: atPeriodEnd }, randomUUID());
  }

  async pause(id: string): Promise<void> {
    await this.#post(`/v1/subscriptions/${id}/pause`, {}, randomUUID());
  }

  /**
   * Repeats clock advances that a restore may have lost: the rail has no record of them. An advance already made is
   * refused.
   */
  async repeatAfterRestore(): Promise<void> {
    for (const [id, to] of this.#asked) {
      const call = this.#call('POST', `/v1/subscriptions/${id}/advance`, { to }, randomUUID());
      await sendUntilAnswered(this.#recorder, call, WITHIN_MS);
    }
  }

  /** Schedules a change to the other plan of its offering at the end of the period. */
  async #changePlan(id: string, isTakenBack: boolean): Promise<void> {
    const target_plan_id = this.#otherPlanOf(await this.#subscription(id));
    const { status, body } = await this.#post(
      `/v1/subscriptions/${id}/plan-change`,
      { target_plan_id },
      randomUUID(),
    );
    // Null if the period has ended in the meantime and the change took effect.
    if (status !== 202 || !isTakenBack || !body.change) return;
    const { action_id } = body.change;
    await this.#post(`/v1/subscriptions/${id}/plan-change/cancel`, { action_id }, randomUUID());
  }

  #otherPlanOf(subscription: Subscription | undefined): string {
    const { recurring, trial } = this.#place.products;
    return subscription?.plan.id === recurring ? trial : recurring;
  }

  async #changeOffering(id: string): Promise<void> {
    const { offeringId: target_offering_id, planId: target_plan_id } = this.#place.otherOffering;
    const body = { target_offering_id, target_plan_id };
    await this.#post(`/v1/subscriptions/${id}/offering-change`, body, randomUUID());
  }

  async #changeMethod(
    random: Random,
    subscriptionId: string,
    externalCustomerId: string,
    card?: string,
  ): Promise<string | undefined> {
    const urls = { successUrl: 'http://localhost/ok', failUrl: 'http://localhost/no' };
    const email = this.#newEmail();
    const body = { subscriptionId, externalCustomerId, customer: { email }, ...urls };
    const { status, body: change } = await this.#post('/v1/payment-methods/change', body, randomUUID());
    return status === 201 ? this.#changeOnPage(random, change, email, card) : undefined;
  }

  /**
   * Buys on the page of a method change or of a payment link.
   * @returns the state that the page showed last
   */
  async #changeOnPage(
    random: Random,
    { id, hostedUrl }: Made,
    email: string,
    only?: string,
  ): Promise<string> {
    this.#recorder.methodChanges.set(id, hostedUrl);
    const [drawn, habit, rightEmail] = [
      random.pick(NEW_CARDS),
      random.pick(NEW_METHOD_HABITS),
      this.#newEmail(),
    ];
    const card = only ?? drawn;
    return new Buyer(this.#recorder, { sessionId: id, hostedUrl, card, habit, email, rightEmail }).buy();
  }

  /** A canary: the checker searches for it where no personal data belongs. */
  #newEmail(): string {
    const email = `canary-${randomUUID().slice(0, 8)}@buyer.example`;
    this.#recorder.canaries.add(email);
    return email;
  }

  async #subscription(id: string): Promise<Subscription | undefined> {
    const list = await this.get('/v1/subscriptions');
    return list?.data.find((each: Subscription) => each.id === id);
  }

  async #post(path: string, body: object, key?: string): Promise<Answer> {
    return sendUntilAnswered(this.#recorder, this.#call('POST', path, body, key), WITHIN_MS);
  }

  #call(method: Call['method'], path: string, body?: object, key?: string): Call {
    return {
      method,
      url: this.#place.apiUrl + path,
      headers: { authorization: `Bearer ${this.#place.merchant.apiKey}` },
      ...(body && { body }),
      ...(key !== undefined && { key }),
    };
  }

  /** Polls the lists, to see intermediate states. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const [kind, path] of [
        ['payment', '/v1/payments'],
        ['subscription', '/v1/subscriptions'],
      ] as const) {
        const answer = await send(this.#recorder, this.#call('GET', path));
        if (isToRepeat(answer)) continue;
        if (answer.status !== 200) throw new Error(`${path} answered ${JSON.stringify(answer)}`);
        for (const { id, status } of answer.body.data) this.#recorder.observe(kind, id, status);
      }
      await pause(3_000, undefined, { signal }).catch(() => {});
    }
  }
}
