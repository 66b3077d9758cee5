import { useState } from 'preact/hooks';
import { useChange } from '../api/use.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { readAmount } from '../words/format.ts';
import { words } from '../words/words.ts';

interface PriceFormProps {
  readonly productId: string;
  /** The active price when the form was opened. */
  readonly replaces: string | null;
  readonly onClose: () => void;
}

type Interval = 'day' | 'week' | 'month' | 'year';
const INTERVALS: readonly Interval[] = ['day', 'week', 'month', 'year'];

export function PriceForm({ productId, replaces: active, onClose }: PriceFormProps) {
  // The price the person saw, so that a colleague's newer price is not overwritten.
  const [replaces] = useState(active);
  const [amount, setAmount] = useState('');
  const [tax, setTax] = useState('19');
  const [mode, setMode] = useState<'one_time' | 'recurring'>('one_time');
  const [interval, setInterval] = useState<Interval>('month');
  const [trial, setTrial] = useState('');
  const create = useChange('createPrice');
  const cents = readAmount(amount);
  const save = () => {
    if (!cents) return;
    const recurring = {
      interval,
      interval_count: 1,
      trial_period_days: trial ? Number(trial) : null,
    };
    const body = {
      amount: cents,
      tax_rate: Number(tax.replace(',', '.')),
      billing_mode: mode,
      replaces,
      ...(mode === 'recurring' && { recurring }),
    };
    create.mutate({ path: { productId }, body }, { onSuccess: onClose });
  };
  const title = replaces ? words.products.newPrice : words.products.firstPrice;
  return (
    <FormDialog
      title={title}
      action={title}
      disabled={!cents}
      busy={create.isPending}
      error={create.error}
      onSubmit={save}
      onClose={onClose}
    >
      {replaces && <p class="note">{words.products.replaceText}</p>}
      <TextField
        label={words.products.amount}
        inputMode="decimal"
        required
        error={amount !== '' && !cents ? words.refund.invalid : null}
        value={amount}
        onValue={setAmount}
      />
      <TextField
        label={words.products.tax}
        inputMode="decimal"
        required
        pattern="[0-9]{1,2}([.,][0-9]{1,2})?"
        value={tax}
        onValue={setTax}
      />
      <SelectField
        label={words.products.billing}
        value={mode}
        onValue={(value) => setMode(value === 'recurring' ? 'recurring' : 'one_time')}
        options={[
          ['one_time', words.products.once],
          ['recurring', words.products.recurring],
        ]}
      />
      {mode === 'recurring' && (
        <RecurringFields interval={interval} onInterval={setInterval} trial={trial} onTrial={setTrial} />
      )}
    </FormDialog>
  );
}

interface RecurringFieldsProps {
  readonly interval: Interval;
  readonly onInterval: (interval: Interval) => void;
  /** In days; empty without one. */
  readonly trial: string;
  readonly onTrial: (trial: string) => void;
}

function RecurringFields({ interval, onInterval, trial, onTrial }: RecurringFieldsProps) {
  return (
    <>
      <SelectField
        label={words.products.interval}
        value={interval}
        onValue={(value) => onInterval(INTERVALS.find((each) => each === value) ?? 'month')}
        options={INTERVALS.map((each) => [each, words.products.intervals[each]])}
      />
      <TextField
        label={words.products.trial}
        inputMode="numeric"
        pattern="[0-9]{0,3}"
        value={trial}
        onValue={onTrial}
      />
    </>
  );
}
