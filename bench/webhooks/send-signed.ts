/** Sends the request; all contestants share this code and HTTP client. */

import { webhookRequest } from '../../activities/webhook/signed-request.ts';
import { createWebhookAgent } from '../../outbound/agent.ts';
import { createResolve } from '../../outbound/resolve.ts';
import { sendAttempt } from '../../outbound/send.ts';
import { setting } from './child.ts';
import { TIMEOUT_SECONDS } from './messages.ts';

const { receiverUrl, secret } = setting();
const timeoutMs = TIMEOUT_SECONDS * 1_000;
const agent = createWebhookAgent({ allowLoopback: true, resolve: createResolve(), timeoutMs });
const never = new AbortController().signal;

/** @throws if not delivered */
export async function sendSigned(eventId: string, body: string): Promise<void> {
  const delivery = { eventId, body, attempts: 0, url: receiverUrl, standardHeaders: false };
  const request = webhookRequest(delivery, [secret], Math.floor(Date.now() / 1_000));
  const { delivered, error } = await sendAttempt(request, { agent, timeoutMs }, never);
  if (!delivered) throw new Error(`not delivered: ${error}`);
}
