/** API calls, typed by the description, with the person's token; an expired token is renewed once. */
import { OPERATIONS, type Operations } from './description.ts';

export type OperationId = keyof Operations;
export type Answer<Id extends OperationId> = Operations[Id]['answer'];
export interface Call<Id extends OperationId> {
  readonly path?: Partial<Operations[Id]['path']>;
  readonly query?: Operations[Id]['query'];
  readonly body?: Operations[Id]['body'];
  readonly idempotencyKey?: string;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** The error of a request's field. */
interface Fault {
  /** The path of the field, such as `recurring.interval_count`; null if no single field is at fault. */
  readonly field: string | null;
  readonly reason: string;
  readonly limit: number | null;
}

/** An error response, or no response at all (status 0). */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly fault: Fault | null;
  constructor(
    status: number,
    code: string,
    message: string,
    requestId: string | null,
    fault: Fault | null = null,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.fault = fault;
  }
}

export interface Client {
  call<Id extends OperationId>(id: Id, how?: Call<Id>): Promise<Answer<Id>>;
  /** Returns the unread response, for downloads. */
  open<Id extends OperationId>(id: Id, how?: Call<Id>): Promise<Response>;
}

/** The token from the log-in. */
interface Credentials {
  token(): string;
  /** @returns false if the person has to log in again */
  renew(): Promise<boolean>;
}

/** @param whenExpired asks the person to log in again; resolves to false if they did not */
export function createClient(
  apiUrl: string,
  session: Credentials,
  whenExpired: () => Promise<boolean>,
): Client {
  async function open<Id extends OperationId>(id: Id, how: Call<Id> = {}): Promise<Response> {
    for (let tries = 0; ; tries++) {
      const response = await send(apiUrl, session.token(), id, how);
      if (response.ok) return response;
      const problem = await problemOf(response);
      const expired = problem.status === 401 && problem.code.startsWith('access_token');
      if (!expired || tries > 1) throw problem;
      if (!(tries === 0 && (await session.renew())) && !(await whenExpired())) throw problem;
    }
  }
  return { open, call: async (id, how) => (await open(id, how)).json() };
}

async function send<Id extends OperationId>(apiUrl: string, token: string, id: Id, how: Call<Id>) {
  const [method = 'GET', template = ''] = OPERATIONS[id].split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String((how.path as Record<string, unknown> | undefined)?.[name] ?? '')),
  );
  try {
    return await fetch(`${apiUrl}${path}${queryOf(how.query)}`, {
      method,
      signal: how.signal ?? null,
      headers: {
        authorization: `Bearer ${token}`,
        ...(how.body !== undefined && { 'content-type': 'application/json' }),
        ...(how.idempotencyKey && { 'idempotency-key': how.idempotencyKey }),
      },
      ...(how.body !== undefined && { body: JSON.stringify(how.body) }),
    });
  } catch {
    throw new Problem(0, 'unreachable', '', null);
  }
}

function queryOf(query: object | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  return given.length > 0
    ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
    : '';
}

async function problemOf(response: Response): Promise<Problem> {
  const requestId = response.headers.get('x-request-id');
  try {
    const { code, message, field = null, reason, limit = null } = await response.json();
    const fault = reason === undefined ? null : { field, reason, limit };
    return new Problem(response.status, code, message, requestId, fault);
  } catch {
    return new Problem(response.status, 'unreadable', response.statusText, requestId);
  }
}
