/**
 * The merchant's endpoint: keeps each request as received, verifies its signature independently, and
 * misbehaves on request.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { now, type Recorder } from '../core/record.ts';

export interface Receiver {
  readonly port: number;
  /** 0 breaks the connection. */
  behave(status: number, delayMs: number): void;
  /** Another secret of the endpoint, in addition to the earlier ones. */
  trust(secret: string): void;
  close(): Promise<void>;
}

export async function openReceiver(recorder: Recorder, secret: string): Promise<Receiver> {
  const secrets = [secret];
  let status = 200;
  let delayMs = 0;
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const rawBody = Buffer.concat(pieces).toString();
    const [answered, waitMs] = [status, delayMs];
    const event = JSON.parse(rawBody) as { id: string; type: string };
    const isSigned = secrets.some((each) => isSignedBy(each, request, rawBody));
    const entry = { at: now(), eventId: event.id, type: event.type, rawBody, isSigned, answered };
    if (waitMs > 0) await pause(waitMs);
    recorder.received.push(entry);
    if (answered === 0) request.socket.destroy();
    else response.writeHead(answered).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    behave(newStatus, newDelayMs) {
      status = newStatus;
      delayMs = newDelayMs;
    },
    trust(another) {
      secrets.push(another);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Verifies as docs/webhooks.md advises merchants, without the project's packages. */
function isSignedBy(secret: string, request: IncomingMessage, rawBody: string): boolean {
  const header = String(request.headers['service-signature'] ?? '');
  const fields = header.split(',').map((field) => field.split('=') as [string, string]);
  const timestamp = fields.find(([name]) => name === 't')?.[1] ?? '';
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.${rawBody}`).digest();
  return fields.some(([name, value]) => {
    const given = Buffer.from(name === 'v1' ? value : '', 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
