import { SelectField } from '../ui/field.tsx';
import { words } from '../words/words.ts';
import type { When } from './subscription-text.ts';

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
