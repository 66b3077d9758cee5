/** Stripe's unix seconds as the service's instants. */
export function instantOf(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toISOString();
}
