/** Describes when a change of a subscription takes effect and what it then charges. */
import type { Schemas } from '../api/description.ts';
import { DAY_MS } from '../ui/days.ts';
import { SelectField } from '../ui/field.tsx';
import { dayOf, money } from '../words/format.ts';
import { words } from '../words/words.ts';

export type When = 'now' | 'period_end';

/** Describes the effect: the charge now, its period, and the charge at the next renewal. */
export function effectOf(
  when: When,
  target: string,
  { lines, total, currency, effective_at, next_renewal }: Schemas['ChangePreviewAnswer'],
): string {
  const period = lines.at(-1)?.period;
  if (when === 'period_end' || !period) {
    return words.subscriptions.changePlanText(
      dayOf(effective_at),
      next_renewal && money(next_renewal.total, currency),
    );
  }
  const days = Math.max(1, Math.round((Date.parse(period.end) - Date.parse(period.start)) / DAY_MS));
  return words.subscriptions.changeNowText(
    money(total, currency),
    days,
    target,
    next_renewal &&
      words.subscriptions.renewalText(money(next_renewal.total, currency), dayOf(next_renewal.at)),
  );
}

interface WhenProps {
  readonly value: When;
  /** True in the last billing cycle, which no period follows. */
  readonly isLast: boolean;
  readonly onValue: (when: When) => void;
}

export function WhenField({ value, isLast, onValue }: WhenProps) {
  return (
    <SelectField
      label={words.subscriptions.changeWhen}
      at="effective"
      value={value}
      onValue={(chosen) => onValue(chosen === 'now' ? 'now' : 'period_end')}
      options={[
        ...(isLast ? [] : [['period_end', words.subscriptions.changeAtEnd] as const]),
        ['now', words.subscriptions.changeAtOnce],
      ]}
    />
  );
}
