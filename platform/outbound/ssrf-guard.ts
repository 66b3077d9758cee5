/**
 * Sends webhooks only to public internet addresses. An allow list: everything but global unicast is rejected,
 * including ranges assigned later.
 */
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses that are registered as public, but lead into the sender's own cloud. */
const ALSO_REFUSED = new BlockList();
// Azure's virtual public address of the host: metadata, agent, DNS.
ALSO_REFUSED.addAddress('168.63.129.16');

/** The rest of IPv6 is reserved, local, multicast, or embeds an IPv4 address. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

export interface GuardOptions {
  /** For development: the shop runs on this machine. */
  readonly allowLoopback: boolean;
}

/** The endpoint's name or address leads to a forbidden address. */
export class AddressRefusedError extends Error {
  constructor(host: string) {
    super(`the address of ${host} is not on the public internet`);
    this.name = 'AddressRefusedError';
  }
}

/** @param address an IP literal as the resolver or a URL gives it; any other form is rejected */
export function isAllowedAddress(address: string, { allowLoopback }: GuardOptions): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) {
    const range = ipaddr.IPv4.parse(address).range();
    if (range === 'loopback') return allowLoopback;
    return range === 'unicast' && !ALSO_REFUSED.check(address, 'ipv4');
  }
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.range() === 'loopback') return allowLoopback;
  return parsed.match(GLOBAL_UNICAST_V6) && parsed.range() === 'unicast';
}

/** Loopback, in either family. */
export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.parse(address).range() === 'loopback';
}
