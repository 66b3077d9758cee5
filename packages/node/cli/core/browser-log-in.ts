/**
 * Logs a person in at the installation's identity provider: authorization code with PKCE (RFC 7636), with a redirect to
 * this machine (RFC 8252).
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FailedError, UsageError } from './command.ts';

const TIMEOUT_MS = 300_000;
const REQUEST_MS = 30_000;
const RETURN_PATH = '/signed-in';

interface Provider {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
}

interface LogIn {
  readonly issuer: string;
  readonly audience: string;
  readonly scope: string;
}

/**
 * @param clientId of a public client at the provider whose redirect URI is http://127.0.0.1/signed-in, at any port
 * @param show called with the address that the person opens
 * @returns an access token, which is not stored
 * @throws UsageError if the installation has no provider
 * @throws FailedError if the provider or the person refuses
 */
export async function logInInBrowser(
  url: string,
  clientId: string,
  show: (address: string) => void,
): Promise<string> {
  const logIn = await logInOf(url);
  const provider = await json<Provider>(
    `${logIn.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  );
  if (provider.issuer !== logIn.issuer) {
    throw new FailedError(
      `${logIn.issuer} identifies itself as ${provider.issuer}: it is not the provider of ${url}.`,
    );
  }
  for (const endpoint of [provider.authorization_endpoint, provider.token_endpoint]) refuseUnsafe(endpoint);
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${RETURN_PATH}`;
  try {
    const address = new URL(provider.authorization_endpoint);
    const asked = {
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      state,
      scope: logIn.scope,
      audience: logIn.audience,
      code_challenge_method: 'S256',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    };
    for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
    const returned = codeThatReturns(server, state);
    show(address.href);
    const code = await returned;
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    const body = new URLSearchParams({ ...form, client_id: clientId, code_verifier: verifier });
    const { access_token } = await json<{ access_token: string }>(provider.token_endpoint, {
      method: 'POST',
      body,
    });
    return access_token;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/**
 * Rejects an unsafe address of the provider: the browser opens one, and another receives the person's identity.
 *
 * @throws FailedError
 */
function refuseUnsafe(endpoint: string): void {
  const { protocol, hostname } = URL.canParse(endpoint) ? new URL(endpoint) : {};
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname ?? '');
  if (protocol === 'https:' || (protocol === 'http:' && isHere)) return;
  throw new FailedError(
    `The identity provider's configuration contains ${endpoint}, which is not allowed: URLs must use https, or http on ` +
      'this machine. Ask its operator to correct it, or log in with an API key.',
  );
}

async function logInOf(url: string): Promise<LogIn> {
  const { logIn } = await json<{ logIn: LogIn | null }>(`${url.replace(/\/+$/, '')}/dashboard/config.json`);
  if (logIn) return logIn;
  throw new UsageError(`${url} has no identity provider: log in with an API key instead, without --browser.`);
}

/** @throws FailedError if the person refuses, or does not return in time */
function codeThatReturns(server: ReturnType<typeof createServer>, state: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new FailedError('The log-in was not completed within five minutes.')),
      TIMEOUT_MS,
    );
    server.on('request', ({ url = '' }, response) => {
      const address = `http://127.0.0.1${url}`;
      if (!URL.canParse(address)) return void response.writeHead(404).end();
      const { pathname, searchParams } = new URL(address);
      // Any other page in the browser can call a port of this machine; only the provider knows the state.
      if (pathname !== RETURN_PATH || searchParams.get('state') !== state) {
        return void response.writeHead(404).end();
      }
      clearTimeout(timer);
      const code = searchParams.get('code');
      const refusal = searchParams.get('error_description') ?? searchParams.get('error') ?? 'no code';
      say(
        response,
        code ? 'You are logged in. Close this page and return to the terminal.' : 'The log-in failed.',
      );
      if (code) resolve(code);
      else reject(new FailedError(`The identity provider refused the log-in: ${refusal}.`));
    });
  });
}

function say(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(text);
}

async function json<Answer>(address: string, options: RequestInit = {}): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(address, { ...options, signal: AbortSignal.timeout(REQUEST_MS) });
  } catch (error) {
    const { cause, message } = error as { cause?: { code?: string }; message: string };
    throw new FailedError(`${address} could not be reached: ${cause?.code ?? message}.`);
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer) return answer as Answer;
  const refusal = answer as { error?: string; error_description?: string } | null;
  const why = refusal?.error_description ?? refusal?.error ?? 'the response is not the expected one';
  throw new FailedError(`${address} answered ${response.status}: ${why}.`);
}
