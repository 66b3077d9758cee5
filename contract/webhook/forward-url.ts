export const WRONG_FORWARD_URL =
  '--forward must be an http or https URL, such as http://localhost:3000/hooks.';

/**
 * Parses the address to which a command forwards webhooks, assuming http without a scheme, because the URL
 * `localhost:3000` would have the scheme `localhost`.
 *
 * @returns null unless it is an http or https URL
 */
export function forwardUrl(given: string): string | null {
  const address = given.includes('://') || given.startsWith('/') ? given : `http://${given}`;
  // Not URL.parse: Node.js has it only from 22.1 on, and the packages run in older versions.
  const url = URL.canParse(address) ? new URL(address) : null;
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}
