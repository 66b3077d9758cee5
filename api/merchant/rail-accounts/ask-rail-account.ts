/** Asks an account's processor what the account can do, for a limited time. */
import type { Rail, RailAccount, RailProbe } from '../../../rail/rail.ts';

interface WholeProbe extends RailProbe {
  /** Its time did not run out: what it did not find is not there, and may be stored. */
  readonly whole: boolean;
}

export async function probe(rail: Rail, account: RailAccount, patienceMs: number): Promise<WholeProbe> {
  if (!rail.probe) throw new Error(`rail ${rail.name} cannot be probed`);
  const signal = AbortSignal.timeout(patienceMs);
  const found = await rail.probe(account, signal);
  if (!signal.aborted) return { ...found, whole: true };
  const late = { ok: false, text: 'It did not answer in time: nothing of this is stored. Try again.' };
  return { ...found, findings: [...found.findings, late], whole: false };
}
