/**
 * A small stateful double of the Stripe endpoints that the adapter uses. Validates every response against Stripe's
 * published description before sending it; a violation becomes a 500 and is recorded. Also serves the stand-in for
 * Stripe's browser script.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { complaintsAboutAnswer, type Description } from './description.ts';
import { DoubleRefusal } from './error.ts';
import { parseForm } from './form.ts';
import { idempotently } from './idempotency.ts';
import { completeChallenge } from './intents.ts';
import { answerOf } from './routes.ts';
import type { DoubleAccount } from './state.ts';

const BROKEN_DOWN = { status: 500, body: { error: { type: 'api_error' } } };

/** Delays each response, so that two requests with the same key overlap. */
const THINKING_MS = 2;

export interface StripeDouble {
  readonly url: string;
  /** The double's responses that violated Stripe's description. */
  readonly violations: readonly string[];
  /** Requests that reached the API. */
  readonly requests: () => number;
  close(): Promise<void>;
}

export async function startStripeDouble(
  accounts: readonly DoubleAccount[],
  description: Description,
  files: Readonly<Record<string, string>> = {},
): Promise<StripeDouble> {
  const double = new Double(accounts, description, files);
  // Longer than the default of five seconds, so that a busy machine does not use a connection that is about
  // to close.
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    double.handle(request, response).catch((error: unknown) => {
      double.violations.push(String(error));
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  double.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: double.url,
    violations: double.violations,
    requests: () => double.requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

class Double {
  readonly violations: string[] = [];
  requests = 0;
  url = '';
  readonly #accounts: readonly DoubleAccount[];
  readonly #description: Description;
  readonly #files: Readonly<Record<string, string>>;

  constructor(
    accounts: readonly DoubleAccount[],
    description: Description,
    files: Readonly<Record<string, string>>,
  ) {
    this.#accounts = accounts;
    this.#description = description;
    this.#files = files;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', this.url);
    const file = this.#files[pathname];
    if (file !== undefined) {
      const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html';
      response.writeHead(200, { 'Content-Type': type }).end(file);
      return;
    }
    if (pathname.startsWith('/challenge/')) return this.#answerChallenge(request, response, pathname);
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', '*');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    this.requests += 1;
    const body = await readAll(request);
    const answered = await this.#answer(request, pathname, parseForm(body || search.slice(1)), body);
    const { method = 'GET' } = request;
    const isAhead = this.#accounts.some(({ settings }) => settings.isAhead);
    const complaints = isAhead
      ? []
      : complaintsAboutAnswer(this.#description, { method, path: pathname, ...answered });
    this.violations.push(...complaints);
    response.writeHead(complaints.length > 0 ? 500 : answered.status, {
      'Content-Type': 'application/json',
      'request-id': `req_${this.requests}`,
      ...(answered.replayed && { 'idempotent-replayed': 'true' }),
    });
    response.end(JSON.stringify(complaints.length > 0 ? { error: { type: 'api_error' } } : answered.body));
  }

  async #answer(request: IncomingMessage, path: string, form: ReturnType<typeof parseForm>, body: string) {
    try {
      const { account, isPublic } = this.#accountOf(request);
      const { method = 'GET' } = request;
      const key = method === 'POST' ? request.headers['idempotency-key'] : undefined;
      return await idempotently(account, key?.toString(), `${path} ${body}`, async () => {
        await sleep(THINKING_MS);
        if (account.breakDowns.delete(path)) return BROKEN_DOWN;
        try {
          const done = {
            status: 200,
            body: answerOf({ account, isPublic, url: this.url, method, path, form }),
          };
          return account.lateBreakDowns.delete(path) ? BROKEN_DOWN : done;
        } catch (error) {
          return refused(error);
        }
      });
    } catch (error) {
      return { ...refused(error), replayed: false };
    }
  }

  #accountOf({ headers }: IncomingMessage) {
    const key = headers.authorization?.replace('Bearer ', '');
    const account = this.#accounts.find(
      ({ secretKey, publishableKey }) => key === secretKey || key === publishableKey,
    );
    if (!account) throw new DoubleRefusal(401, { type: 'invalid_request_error' });
    if (!account.enabled)
      throw new DoubleRefusal(403, { type: 'invalid_request_error', code: 'account_invalid' });
    return { account, isPublic: key === account.publishableKey };
  }

  /** The bank's page: two buttons, then a redirect to the return URL. */
  async #answerChallenge(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const id = path.split('/')[2] ?? '';
    const account = this.#accounts.find(({ intents }) => intents.has(id));
    const intent = account?.intents.get(id);
    if (!account || !intent) return void response.writeHead(404).end();
    if (request.method !== 'POST') {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(CHALLENGE_PAGE);
      return;
    }
    const { result } = parseForm(await readAll(request));
    completeChallenge(account, intent, result === 'approve' ? 'approve' : 'fail');
    response.writeHead(303, { Location: intent.returnUrl ?? '/' }).end();
  }
}

function refused(error: unknown) {
  if (!(error instanceof DoubleRefusal)) throw error;
  return { status: error.status, body: { error: error.body } };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const CHALLENGE_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bank</title>
<h1>Is it you?</h1>
<form method="post"><button name="result" value="approve">Yes, pay</button> <button name="result" value="fail">No</button></form>
</html>`;
