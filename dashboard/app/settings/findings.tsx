import type { Schemas } from '../api/description.ts';
import { Icon } from '../ui/icon.tsx';
import { words } from '../words/words.ts';

/** What the processor said about an account: whether it can be sold on, and why not. */
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
        {findings.map(({ ok, text }) => (
          <li key={text} class="finding">
            <Icon name={ok ? 'check' : 'warning'} />
            <span class="visually-hidden">{ok ? words.common.yes : words.common.no}</span>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
