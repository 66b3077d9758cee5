/** Prints a probe's findings, as text or as JSON. */
import type { RailProbe } from '../../../rail/rail-account.ts';

export interface ProbeToPrint {
  readonly accountId: string;
  readonly rail: string;
  readonly status: string;
  readonly probe: RailProbe;
  readonly json: boolean;
}

export function printProbe({ accountId, rail, status, probe, json }: ProbeToPrint): void {
  if (json) {
    console.log(JSON.stringify({ accountId, rail, status, ...probe }));
    return;
  }
  const sign = (ok: boolean) => (ok ? '  + ' : '  - ');
  console.log(`${accountId} (${rail}) is ${status}.`);
  for (const { ok, text } of probe.findings) console.log(sign(ok) + text);
  if (status === 'disabled' && probe.usable)
    console.log(`To reactivate it, run "npm run ops -- rail check ${accountId} --apply".`);
  if (status === 'disabled' && !probe.usable)
    console.log(
      'It sells again once "npm run ops -- rail set" has stored a new key, or its processor has repaired the account ' +
        `and "npm run ops -- rail check ${accountId} --apply" confirms it.`,
    );
  if (status === 'activating') console.log('It cannot sell yet: fix the findings and run the check again.');
}
