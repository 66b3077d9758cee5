import { LONGEST_TRIAL_DAYS } from '../ui/days.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { words } from '../words/words.ts';

const INTERVALS = ['day', 'week', 'month', 'year'] as const;
export type Interval = (typeof INTERVALS)[number];

/** The unparsed input. */
export interface Recurrence {
  readonly interval: Interval;
  readonly count: string;
  /** In days; empty without a trial. */
  readonly trial: string;
}

interface RecurringFieldsProps {
  readonly of: Recurrence;
  readonly onChange: (recurrence: Recurrence) => void;
}

/** How often a price is charged, as "every 3 months", and the trial before it. */
export function RecurringFields({ of, onChange }: RecurringFieldsProps) {
  const { interval, count, trial } = of;
  const units = Number(count) === 1 ? words.products.intervals : words.products.manyIntervals;
  return (
    <>
      <div class="pair">
        <TextField
          label={words.products.interval}
          at="recurring.interval_count"
          type="number"
          min={1}
          max={365}
          required
          value={count}
          onValue={(value) => onChange({ ...of, count: value })}
        />
        <SelectField
          label={words.products.unit}
          at={['recurring.interval', 'recurring']}
          value={interval}
          onValue={(value) =>
            onChange({ ...of, interval: INTERVALS.find((each) => each === value) ?? 'month' })
          }
          options={INTERVALS.map((each) => [each, units[each]])}
        />
      </div>
      <TextField
        label={words.products.trial}
        at="recurring.trial_period_days"
        hint={words.products.trialHint}
        type="number"
        min={1}
        max={LONGEST_TRIAL_DAYS}
        value={trial}
        onValue={(value) => onChange({ ...of, trial: value })}
      />
    </>
  );
}
