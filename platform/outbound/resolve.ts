/**
 * Looks names up through c-ares instead of getaddrinfo, so that an unresponsive name server does not block the four
 * threads that the whole process shares. `/etc/hosts` is not read; `localhost` is loopback without a query (RFC 6761).
 */
import { type LookupAddress, promises } from 'node:dns';

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

export interface ResolverOptions {
  /** `host:port` of name servers to use instead of the system's. */
  readonly nameServers?: readonly string[] | undefined;
}

/** @returns a function that throws if the name has no address */
export function createResolve({ nameServers }: ResolverOptions = {}): Resolve {
  const resolver = new promises.Resolver({ timeout: 2_000, tries: 2 });
  if (nameServers) resolver.setServers([...nameServers]);
  return async (hostname) => {
    if (/^(.+\.)?localhost\.?$/i.test(hostname)) return LOOPBACK;
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [...found(v4, 4), ...found(v6, 6)];
    if (addresses.length === 0)
      throw v4.status === 'rejected' ? v4.reason : new Error(`${hostname} has no address`);
    return addresses;
  };
}

function found(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}
