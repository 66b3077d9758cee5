/** POST /webhooks: verifies the signature over the raw body, stores the event, answers immediately. */
import { setTimeout as sleep } from 'node:timers/promises';
import express, { type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { BehaviourSwitch } from '../core/behaviour.ts';
import { type ReceivedEvents, shopEvent } from '../core/received-events.ts';
import { isSigned } from '../core/verify.ts';

export interface WebhookReceiver {
  readonly config: { readonly webhookSecret: string };
  readonly events: ReceivedEvents;
  readonly behaviour: BehaviourSwitch;
  readonly logger: Logger;
}

export function receiveWebhook({
  config,
  events,
  behaviour,
  logger,
}: WebhookReceiver): readonly RequestHandler[] {
  const receive: RequestHandler = async (request, response) => {
    const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    if (!isSigned(rawBody, request.get('service-signature'), config.webhookSecret)) {
      logger.warn('webhook rejected: invalid signature');
      return void response.status(400).json({ error: 'invalid_signature' });
    }
    const event = shopEvent.parse(JSON.parse(rawBody.toString('utf8')));
    const attempt = Number(request.get('service-delivery-attempt') ?? 1);
    events.add(event, attempt);
    const { status = 200, delayMs = 0, retryAfterSeconds } = behaviour.next();
    logger.info({ eventId: event.id, type: event.type, attempt, status }, 'webhook received');
    if (delayMs > 0) await sleep(delayMs);
    if (retryAfterSeconds !== undefined) response.set('Retry-After', `${retryAfterSeconds}`);
    response.status(status).json({ received: status < 300 });
  };
  return [express.raw({ type: () => true, limit: '1mb' }), receive];
}
