/** A merchant's webhook endpoint, as a real HTTP server that answers as the test configures. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: { readonly id: string; readonly type: string; readonly [key: string]: unknown };
  readonly path: string;
  /** `performance.now()` of this process. */
  readonly atMs: number;
}

export type Answer = (response: ServerResponse, received: ReceivedWebhook, count: number) => void;

export interface Receiver {
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  /** The request with this index, from 0. @throws if fewer have arrived */
  nth(index: number): ReceivedWebhook;
  /** How it answers from now on; initially 200. */
  answer: Answer;
  /** Waits until that many requests have arrived. */
  untilReceived(count: number, withinMs?: number): Promise<void>;
  /** Stops listening and drops its connections: a dead endpoint. `start` restores it on its port. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export const ok: Answer = (response) => response.writeHead(200).end('ok');
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end();

export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  let server: Server;
  let port = 0;
  const receiver: Receiver = {
    get url() {
      return `http://127.0.0.1:${port}/hooks`;
    },
    received,
    nth(index) {
      const webhook = received[index];
      if (!webhook) throw new Error(`only ${received.length} webhooks arrived`);
      return webhook;
    },
    answer: ok,
    async untilReceived(count, withinMs = 60_000) {
      const until = performance.now() + withinMs;
      while (received.length < count) {
        if (performance.now() > until)
          throw new Error(`${received.length} of ${count} webhooks in ${withinMs} ms`);
        await pause(5);
      }
    },
    async start() {
      server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk) => chunks.push(chunk));
        request.on('end', () => {
          const body = Buffer.concat(chunks).toString('utf8');
          const webhook = {
            headers: request.headers,
            body,
            event: JSON.parse(body),
            path: request.url ?? '',
            atMs: performance.now(),
          };
          received.push(webhook);
          receiver.answer(response, webhook, received.length);
        });
      });
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      port = (server.address() as AddressInfo).port;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  await receiver.start();
  return receiver;
}
