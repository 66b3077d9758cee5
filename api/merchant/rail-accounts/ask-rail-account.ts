/** Asks a processor for the account's capabilities until the signal aborts. */
import type { Rail } from '../../../rail/rail.ts';
import type { RailAccount, RailProbe } from '../../../rail/rail-account.ts';

interface WholeProbe extends RailProbe {
  /** True if the probe finished in time: capabilities not found are then absent, and the result may be stored. */
  readonly whole: boolean;
}

export async function probe(rail: Rail, account: RailAccount, signal: AbortSignal): Promise<WholeProbe> {
  if (!rail.probe) throw new Error(`rail ${rail.name} cannot be probed`);
  const found = await rail.probe(account, signal);
  if (!signal.aborted) return { ...found, whole: true };
  const text = 'The processor did not answer in time: nothing was stored. Try again.';
  const late = { ok: false, code: 'no_answer_in_time', values: {}, text } as const;
  return { ...found, findings: [...found.findings, late], whole: false };
}
