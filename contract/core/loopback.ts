/** Returns true for a URL whose host is this machine; such a URL may be http in development. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Returns true if traffic is safe in transit: https, or http on this machine. */
export function isHttpsOrLoopback(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
}
