/**
 * Checks every response of servers in this process: it must match the API description, and neither response nor log may
 * contain a secret.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { description, operationOf, problemsWith } from './api-description.ts';
import { secretsIn } from './canaries.ts';
import { noteAnswer } from './seen-answers.ts';

export interface AnswerWatch {
  /** @throws Error with all problems since the last call */
  check(): void;
}

/** Paths outside the API: the hosted page, the rails' content on it, the reference, `GET /` and the probes. */
const OTHERS =
  /^\/$|^\/(pay|dashboard|docs|openapi\.json|livez|readyz)(\/|$)|^\/rails\/[^/]+\/[^/]+\/fields$/;

export function watchAnswers(server: Server, logLines: readonly string[]): AnswerWatch {
  const problems: string[] = [];
  let linesRead = 0;
  // Must run before the application's listener, which may answer immediately.
  server.prependListener('request', (request, response) => {
    const chunks = collectBody(response);
    // Read now, because routers strip the path while they handle a request.
    const { pathname } = new URL(request.url ?? '/', 'http://api.test');
    response.once('finish', () => {
      if (OTHERS.test(pathname)) return;
      const found = problemsOfAnswer(request, response, pathname, Buffer.concat(chunks));
      const { method } = request;
      problems.push(...found.map((problem) => `${method} ${pathname} ${response.statusCode}: ${problem}`));
    });
  });
  return {
    check() {
      for (; linesRead < logLines.length; linesRead++) {
        const line = logLines[linesRead] ?? '';
        problems.push(...secretsIn(line).map((name) => `the log shows ${name}: ${line.slice(0, 80)} …`));
      }
      if (problems.length > 0) throw new Error(problems.splice(0).join('\n'));
    },
  };
}

function collectBody(response: ServerResponse): Buffer[] {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
  };
  const { write, end } = response;
  response.write = ((...args: [unknown]) => {
    keep(args[0]);
    return Reflect.apply(write, response, args);
  }) as typeof write;
  response.end = ((...args: [unknown]) => {
    keep(args[0]);
    return Reflect.apply(end, response, args);
  }) as typeof end;
  return chunks;
}

function problemsOfAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  bytes: Buffer,
): readonly string[] {
  const operation = operationOf(request.method ?? '', path);
  const isJson = String(response.getHeader('content-type')).startsWith('application/json');
  const body = isJson && bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : undefined;
  const status = response.statusCode;
  if (!operation) {
    const allowed = {
      403: 'service_merchant_forbidden',
      404: 'route_not_found',
      405: 'method_not_allowed',
    }[status];
    return allowed && (body === undefined || body.code === allowed) ? [] : ['no operation has this response'];
  }
  const { operationId, template, method } = operation;
  noteAnswer(operationId, status, status >= 400 ? (body?.code ?? null) : null);
  const at = ['paths', template, method, 'responses', String(status)];
  const described = description.paths[template][method].responses[status];
  if (!described) return ['the description has no such status'];
  const where = described.$ref ? described.$ref.slice(2).split('/') : at;
  const whole = where.reduce((node: Record<string, never>, part: string) => node[part], description);
  const missing = Object.entries<{ readonly required?: boolean; readonly $ref?: string }>(whole.headers)
    .filter(([, header]) => isRequired(header))
    .filter(([name]) => response.getHeader(name) === undefined)
    .map(([name]) => `the header ${name} is missing`);
  const codes: readonly string[] | undefined = whole['x-error-codes'];
  return [
    ...missing,
    ...(codes && body && !codes.includes(body.code) ? [`the code ${body.code} is not listed`] : []),
    ...secretsIn(bytes.toString('latin1'), operationId).map((name) => `it shows ${name}`),
    ...(body === undefined ? [] : problemsWith(body, [...where, 'content', 'application/json', 'schema'])),
  ];
}

function isRequired({ required, $ref }: { readonly required?: boolean; readonly $ref?: string }): boolean {
  return $ref ? description.components.headers[$ref.split('/').at(-1) ?? ''].required : required === true;
}
