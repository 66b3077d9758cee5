import type { Schemas } from '../api/description.ts';
import { Icon } from '../ui/icon.tsx';
import type { FindingWords } from '../words/en-rail-findings.ts';
import { words } from '../words/words.ts';

type Finding = Schemas['RailFinding'];

/** The processor's findings about an account: whether it can take sales, and if not, why. */
export function Findings({
  of: { usable, findings },
}: {
  readonly of: Pick<Schemas['ProbedRailAccountAnswer'], 'usable' | 'findings'>;
}) {
  return (
    <>
      <p class={usable ? 'note good' : 'note bad'} role="status">
        {usable ? words.rail.usable : words.rail.unusable}
      </p>
      <ul class="rows">
        {findings.map((finding) => (
          <li key={finding.text} class="finding">
            <Icon name={finding.ok ? 'check' : 'warning'} />
            <span class="visually-hidden">{finding.ok ? words.common.yes : words.common.no}</span>
            <span>{sentenceOf(finding)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A finding in the person's language; for a code that only a newer API has, the API's English text. */
function sentenceOf({ code, values, text }: Finding): string {
  // The compiler rejects an API code without a text.
  const known: Readonly<Record<Finding['code'], FindingWords>> = words.railFindings.findings;
  const why: Readonly<Record<string, string>> = words.railFindings.why;
  const say: FindingWords | undefined = known[code];
  return say?.({ ...values, ...(values.why && { why: why[values.why] ?? values.why }) }) ?? text;
}
