/**
 * Drains one endpoint's outbox: leases due deliveries in batches, posts with bounded concurrency, records results in
 * groups. A hanging post blocks only its own slot. A drain stays awake for a while after its last delivery, so that a
 * steady trickle of events does not cost one workflow task per event.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { webhookRequest } from '../../contract/webhook/webhook-request.ts';
import type { Pool } from '../../db/core/pool.ts';
import {
  type DeliveryResult,
  type LeasedDelivery,
  leaseDeliveries,
  recordResults,
  releaseDeliveries,
} from '../../db/webhook/deliveries.ts';
import type { EndpointRef } from '../../db/webhook/events.ts';
import { nextAttemptInSeconds } from '../../domain/webhook/retry-schedule.ts';
import { recordDelivery } from '../../platform/observability/deliveries.ts';
import { inSpan, SpanKind, type SpanOptions } from '../../platform/observability/spans.ts';
import { type PostRequest, type PostResult, post } from '../../platform/outbound/post.ts';
import type { SecretBox } from '../../platform/secrets/encryption.ts';
import { openWebhookSecrets } from '../../platform/secrets/webhook-secrets.ts';
import { whileHeartbeating } from '../core/heartbeat.ts';
import type { WebhookSettings } from '../core/webhook-settings.ts';
import type { DueWatch, DueWatcher } from './due-watcher.ts';
import { EndpointConcurrency } from './endpoint-concurrency.ts';
import { ResultGroups } from './result-groups.ts';
import { Waiters } from './waiters.ts';

/** How long a drain stays awake after its last delivery: an event within this time costs no workflow task. */
const IDLE_SECONDS = 5;
/** Concurrent posts to one endpoint. */
const MAX_CONCURRENCY = 32;
/**
 * A drain ends after a random time between these bounds, so that the workflow can report. The time is random because
 * drains that end together delay each other's next start (measured: 330 ms for 20 drains).
 */
const SHORTEST_BUDGET_MS = 180_000;
const LONGEST_BUDGET_MS = 300_000;
/**
 * How long a batch waits to grow: for more slots if fewer than a quarter are free, for more deliveries after a small
 * batch. Leasing ten deliveries in one statement costs as much as leasing one.
 */
const GATHER_MS = 4;
const SMALL_BATCH = 8;
/** The longest outage of PostgreSQL in which no result is lost; after a longer one, deliveries repeat. */
const RECORD_TIMEOUT_MS = 10_000;
const RECORD_TIMEOUT_AT_STOP_MS = 2_000;
/** A lease outlasts an attempt's time-out plus the time-out for recording its result. */
const LEASE_MARGIN_SECONDS = 15;

export interface DrainDeps {
  readonly pool: Pool;
  readonly secretBox: SecretBox;
  readonly agent: Dispatcher;
  readonly watcher: DueWatcher;
  readonly settings: WebhookSettings;
  /** Aborted when the worker shuts down: posts in flight are released without counting as attempts. */
  readonly stop: AbortSignal;
  /** Called after an alert about this endpoint was committed. */
  readonly onAlert: () => void;
}

export interface DrainProgress {
  readonly delivered: number;
  readonly failed: number;
  /** Error text without address and body; null on success. */
  readonly lastError: string | null;
}

/**
 * Ends when nothing is due, its time is up, or it is stopped.
 * @throws when PostgreSQL is unreachable; deliveries without a recorded result repeat after their lease
 */
export async function drainEndpoint(
  endpoint: EndpointRef,
  /** The endpoint is currently failing, so start with one post at a time. */
  failing: boolean,
  deps: DrainDeps,
): Promise<DrainProgress> {
  const drain = new Drain(endpoint, failing, deps);
  await whileHeartbeating(
    () => drain.run(),
    () => drain.progress,
  );
  return drain.progress;
}

class Drain {
  progress: DrainProgress = { delivered: 0, failed: 0, lastError: null };
  readonly #endpoint: EndpointRef;
  readonly #deps: DrainDeps;
  readonly #token = randomUUID();
  readonly #endsAtMs: number;
  /** Posts in flight. */
  #underWay = 0;
  readonly #waitingForEnd = new Waiters();
  readonly #groups = new ResultGroups((results) => this.#record(results));
  /** Ids of events that may have been sent, with an unknown outcome. */
  readonly #unanswered: string[] = [];
  readonly #concurrency: EndpointConcurrency;
  #failing: boolean;
  /** Size of the previous batch; the first batch does not wait. */
  #lastBatch = SMALL_BATCH;
  #broken: { readonly error: unknown } | undefined;

  constructor(endpoint: EndpointRef, failing: boolean, deps: DrainDeps) {
    this.#endpoint = endpoint;
    this.#failing = failing;
    this.#concurrency = new EndpointConcurrency(MAX_CONCURRENCY, failing);
    this.#deps = deps;
    const budgetMs = SHORTEST_BUDGET_MS + Math.random() * (LONGEST_BUDGET_MS - SHORTEST_BUDGET_MS);
    this.#endsAtMs = performance.now() + budgetMs;
  }

  async run(): Promise<void> {
    const watch = this.#deps.watcher.watch(this.#endpoint.endpointId);
    try {
      await this.#work(watch);
    } catch (error) {
      this.#broken ??= { error };
    } finally {
      watch.close();
    }
    while (this.#underWay > 0) await this.#waitingForEnd.woken;
    await this.#groups.flush();
    if (this.#broken) throw this.#broken.error;
    if (this.#unanswered.length > 0) {
      await releaseDeliveries(this.#deps.pool, { ...this.#endpoint, token: this.#token }, this.#unanswered);
    }
  }

  async #work(watch: DueWatch): Promise<void> {
    const { stop, settings } = this.#deps;
    const idleMs = 1_000 * (settings.idleSeconds ?? IDLE_SECONDS);
    while (!stop.aborted && !this.#broken && performance.now() < this.#endsAtMs) {
      if (this.#free() <= 0) {
        await this.#waitingForEnd.woken;
        continue;
      }
      await this.#gather();
      if (stop.aborted || this.#broken) return;
      const places = this.#free();
      if (places <= 0) continue;
      watch.clearNotified();
      if ((await this.#lease(places)) === places) continue;
      const due = await watch.untilDue(idleMs, stop);
      if (!due && this.#underWay === 0) return;
    }
  }

  /** Waits until enough is due for a batch, and while the endpoint backs off. */
  async #gather(): Promise<void> {
    const few = this.#underWay > 0 && this.#free() < this.#concurrency.size / 4;
    const gatherMs = few || this.#lastBatch < SMALL_BATCH ? GATHER_MS : 0;
    const waitMs = Math.max(gatherMs, this.#concurrency.restsUntilMs - performance.now());
    if (waitMs > 0) await pause(waitMs);
  }

  #free(): number {
    return this.#concurrency.size - this.#underWay;
  }

  /**
   * @param places number of free slots
   * @returns the number of leased deliveries
   */
  async #lease(places: number): Promise<number> {
    const { pool, settings } = this.#deps;
    const leased = await leaseDeliveries(pool, {
      endpointId: this.#endpoint.endpointId,
      token: this.#token,
      limit: places,
      leaseSeconds: settings.timeoutSeconds + LEASE_MARGIN_SECONDS,
    });
    this.#lastBatch = leased.length;
    const leasedAt = performance.now();
    for (const delivery of leased) void this.#post(delivery, leasedAt);
    return leased.length;
  }

  /** Never throws. */
  async #post(delivery: LeasedDelivery, leasedAt: number): Promise<void> {
    const { agent, settings, secretBox, stop } = this.#deps;
    this.#underWay += 1;
    try {
      if (delivery.failing) this.#failing = true;
      // PostgreSQL's clock at the time of the lease plus the monotonic time since then (rule 19).
      const clockMs = () => delivery.leasedAtMs + performance.now() - leasedAt;
      const secrets = openWebhookSecrets(secretBox, this.#endpoint.endpointId, delivery);
      const request = webhookRequest(delivery, secrets, Math.floor(clockMs() / 1_000));
      const options = { agent, timeoutMs: settings.timeoutSeconds * 1_000, nowMs: clockMs };
      const answer = await inSpan('deliver event', this.#spanOf(delivery), async (span) => {
        const heard = await post(request, options, stop);
        span?.setAttribute('http.response.status_code', heard.httpStatus ?? 0);
        return heard;
      });
      this.#handle(delivery, request.headers, answer);
    } catch (error) {
      this.#unanswered.push(delivery.eventId);
      if (!stop.aborted) this.#broken ??= { error };
    } finally {
      this.#underWay -= 1;
      this.#waitingForEnd.wake();
    }
  }

  /** Continues the trace of the request that caused the event. No trace header is sent to the receiver. */
  #spanOf({ eventId, attempts, trace }: LeasedDelivery): SpanOptions {
    const attributes = {
      'checkout.event.id': eventId,
      'checkout.endpoint.id': this.#endpoint.endpointId,
      'checkout.delivery.attempt': attempts + 1,
    };
    return { kind: SpanKind.CLIENT, parent: trace, attributes };
  }

  #handle(delivery: LeasedDelivery, requestHeaders: PostRequest['headers'], answer: PostResult): void {
    const { settings } = this.#deps;
    const { delivered, retryAfterSeconds, ...heard } = answer;
    const { merchantId, environment } = this.#endpoint;
    const { httpStatus, durationMs } = answer;
    recordDelivery({ merchantId, environment, delivered, httpStatus, seconds: durationMs / 1_000 });
    this.#concurrency.adjust(delivered);
    this.progress = delivered
      ? { ...this.progress, delivered: this.progress.delivered + 1 }
      : { ...this.progress, failed: this.progress.failed + 1, lastError: answer.error };
    const schedule = { seconds: settings.scheduleSeconds, jitter: settings.jitter };
    const attemptsMade = delivery.roundAttempts + 1;
    this.#groups.add({
      eventId: delivery.eventId,
      url: delivery.url,
      leasedAtMs: delivery.leasedAtMs,
      delivered,
      ...heard,
      requestHeaders,
      nextInSeconds: delivered
        ? null
        : nextAttemptInSeconds(schedule, attemptsMade, retryAfterSeconds, Math.random()),
    });
  }

  /** Never throws: it retries during a short outage of PostgreSQL, which ends before the leases do. */
  async #record(results: readonly DeliveryResult[]): Promise<void> {
    const { pool, stop, onAlert } = this.#deps;
    const failing = this.#failing;
    const startedAtMs = performance.now();
    for (;;) {
      try {
        const group = { endpoint: this.#endpoint, token: this.#token, results, failing };
        const alerted = await recordResults(pool, group);
        this.#failing = !results.some(({ delivered }) => delivered);
        if (alerted) onAlert();
        return;
      } catch (error) {
        const timeoutMs = stop.aborted ? RECORD_TIMEOUT_AT_STOP_MS : RECORD_TIMEOUT_MS;
        if (performance.now() - startedAtMs > timeoutMs) {
          this.#broken ??= { error };
          return;
        }
        await pause(200);
      }
    }
  }
}
