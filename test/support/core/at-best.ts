/**
 * Measures up to three times and returns the smallest value: a delay in the code shows every time, machine noise does
 * not.
 */
export async function atBest(limit: number, measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least >= limit; tries += 1) least = Math.min(least, await measure());
  return least;
}
