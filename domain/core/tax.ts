import { assertCents } from './money.ts';

/** The tax contained in a gross amount: `gross - gross / (1 + rate)`, rounded half up to the cent. */
export function taxIncludedCents(grossCents: number, taxRatePercent: number): number {
  assertCents(grossCents);
  const rateHundredths = Math.round(taxRatePercent * 100);
  const divisor = 10_000 + rateHundredths;
  return Math.floor((2 * grossCents * rateHundredths + divisor) / (2 * divisor));
}
