/** Converts Stripe's Unix seconds to the service's format of instants. */
export function instantOf(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toISOString();
}
