/** HTTP as the programs of merchants and buyers use it: one pool of connections, JSON. */
import { Agent, request } from 'undici';

interface Sent {
  readonly body?: object;
  readonly bearer?: string;
}

export interface Http {
  /** @returns the body. @throws Error unless the status is 2xx */
  ask(url: string, sent?: Sent): Promise<string>;
  end(): Promise<void>;
}

export function openHttp(): Http {
  const agent = new Agent({ connections: 128, keepAliveTimeout: 60_000 });

  async function ask(url: string, sent: Sent = {}): Promise<string> {
    const { body, bearer } = sent;
    const answer = await request(url, {
      dispatcher: agent,
      method: body ? 'POST' : 'GET',
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(bearer && { authorization: `Bearer ${bearer}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    // "The outcome is not known yet": the page repeats the request, with the same id.
    if (answer.statusCode === 503) return ask(url, sent);
    if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.statusCode} ${text}`);
    return text;
  }

  return { ask, end: () => agent.close() };
}
