/** Plays one request with packages/node: the same code in Node.js, Deno, Bun and an edge runtime. */
import {
  ApiError,
  ConnectionError,
  everyRow,
  HostedCheckout,
  RequestTimeoutError,
  verifyWebhook,
  WebhookVerificationError,
} from '../../../packages/node/src/index.ts';

const KINDS: readonly (readonly [new (...args: never[]) => Error, string])[] = [
  [ApiError, 'refused'],
  [ConnectionError, 'unreachable'],
  [RequestTimeoutError, 'late'],
  [WebhookVerificationError, 'unverified'],
  [TypeError, 'misuse'],
];

// biome-ignore lint/suspicious/noExplicitAny: JSON of the test that plays the scenario.
async function play(request: any): Promise<unknown> {
  if (request.verify) return verifyWebhook(request.verify);
  const { baseUrl, key, call, pages, args, options } = request;
  const client = new HostedCheckout(key, { baseUrl });
  if (call) return methodOf(client, call)(...args, options ?? undefined);
  const [id, query] = args;
  let count = 0;
  const list = methodOf(client, pages);
  for await (const _row of everyRow((cursor) => list(id, { ...query, cursor }))) count++;
  return { count };
}

/** @param name as in the description: `refunds.create` */
// biome-ignore lint/suspicious/noExplicitAny: methods are called by their names.
function methodOf(client: any, name: string): (...args: readonly unknown[]) => any {
  const [method = '', ...groups] = name.split('.').reverse();
  const group = groups.reduceRight((at, each) => at[each], client);
  return group[method].bind(group);
}

/** @param line a request as JSON */
export async function outcomeOf(line: string): Promise<string> {
  try {
    return JSON.stringify({ answer: await play(JSON.parse(line)) });
  } catch (error) {
    const [, kind] = KINDS.find(([type]) => error instanceof type) ?? [];
    if (!kind) throw error;
    const { message } = error as Error;
    return JSON.stringify({ error: { ...(error as object), kind, message } });
  }
}
