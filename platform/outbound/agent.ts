/**
 * The HTTP agent for webhooks. Addresses are checked when connecting, inside the connection's own look-up: the checked
 * address is the one connected to, so DNS rebinding does not help an attacker. IP literals skip the look-up, and pass
 * the same check before.
 */
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import type { Resolve } from './resolve.ts';
import { AddressRefusedError, type GuardOptions, isAllowedAddress, isLoopback } from './ssrf-guard.ts';

export interface WebhookAgentOptions extends GuardOptions {
  readonly resolve: Resolve;
  readonly timeoutMs: number;
  /** Additional certificate authorities, PEM; for tests with their own certificates. */
  readonly ca?: string | undefined;
  /**
   * A forward proxy that guards the private network instead of this agent: it also resolves the names.
   */
  readonly egressProxy?: string | undefined;
}

const KEEP_ALIVE_MS = 4_000;

export function createWebhookAgent(options: WebhookAgentOptions): Dispatcher {
  const { timeoutMs, ca, egressProxy } = options;
  const shared = {
    // The caller's deadline covers the whole attempt; undici's time-outs would only cut it short.
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
  // Plain HTTP is allowed only to this machine.
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

/** Rejects a name if any of its addresses is forbidden. */
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
        else callback(new Error(`${hostname} has no address of this family`), '', 0);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}
