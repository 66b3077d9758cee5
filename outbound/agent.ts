/**
 * The HTTP agent of webhooks. Every address of a name is judged at connect time, inside the look-up that the
 * connection itself uses: what was judged is what is connected to, so a name that changes its answer in
 * between gains nothing. The runtime makes no look-up for IP literals; they pass the same gate first.
 */
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import { AddressRefusedError, type GuardOptions, isAllowedAddress, isLoopback } from './address-guard.ts';
import type { Resolve } from './resolve.ts';

export interface WebhookAgentOptions extends GuardOptions {
  readonly resolve: Resolve;
  readonly timeoutMs: number;
  /** Further certificate authorities, PEM; for tests with certificates of their own. */
  readonly ca?: string | undefined;
  /** A forward proxy that guards the private network in our stead: it, and not we, looks names up. */
  readonly egressProxy?: string | undefined;
}

const KEEP_ALIVE_MS = 4_000;

export function createWebhookAgent(options: WebhookAgentOptions): Dispatcher {
  const { timeoutMs, ca, egressProxy } = options;
  const shared = {
    // The whole attempt has one deadline, the caller's; undici's own would only cut it short.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: 16_384,
  };
  const tls = { timeout: timeoutMs, allowH2: false, ...(ca === undefined ? {} : { ca }) };
  if (egressProxy !== undefined) {
    return new ProxyAgent({ uri: egressProxy, ...shared, requestTls: tls, proxyTunnel: true });
  }
  const isAllowed = (address: string) => isAllowedAddress(address, options);
  const secure = guardedConnector({ ...tls, lookup: guardedLookup(options.resolve, isAllowed) }, isAllowed);
  // Plain HTTP never leaves this machine.
  const isHere = (address: string) => isAllowed(address) && isLoopback(address);
  const plain = guardedConnector({ ...tls, lookup: guardedLookup(options.resolve, isHere) }, isHere);
  return new Agent({
    ...shared,
    connect: (target, callback) => (target.protocol === 'https:' ? secure : plain)(target, callback),
  });
}

function guardedConnector(
  options: buildConnector.BuildOptions,
  isAllowed: (address: string) => boolean,
): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) => {
    if (isIP(target.hostname) !== 0 && !isAllowed(target.hostname)) {
      callback(new AddressRefusedError(target.hostname), null);
      return;
    }
    connect(target, callback);
  };
}

/** One forbidden address among several is enough: an honest name has none. */
function guardedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, { all, family }, callback) => {
    const judged = resolve(hostname).then((addresses) => {
      if (!addresses.every(({ address }) => isAllowed(address))) {
        throw new AddressRefusedError(hostname);
      }
      return addresses.filter(
        (entry) => !family || family === entry.family || String(family) === `IPv${entry.family}`,
      );
    });
    judged.then(
      (addresses) => {
        const [first] = addresses;
        if (all) callback(null, [...addresses]);
        else if (first) callback(null, first.address, first.family);
        else callback(new Error(`no address of ${hostname} in this family`), '', 0);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}
