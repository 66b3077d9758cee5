import { useState } from 'preact/hooks';
import type { Schemas } from '../api/description.ts';
import { useKeyedChange } from '../api/use.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { amountText, readAmount } from '../words/format.ts';
import { words } from '../words/words.ts';
import { priceText } from './price-text.ts';
import { type Interval, type Recurrence, RecurringFields } from './recurring-fields.tsx';

interface PriceFormProps {
  readonly productId: string;
  /** The active price when the form was opened. */
  readonly active: Schemas['Price'] | null;
  readonly onClose: () => void;
}

type Currency = NonNullable<Schemas['PriceRequest']['currency']>;

/** A form for a new price, filled with the terms of the price that it replaces. */
export function PriceForm({ productId, active, onClose }: PriceFormProps) {
  // Sent with the form, so that the API refuses to overwrite a colleague's newer price.
  const [replaces] = useState(active?.id ?? null);
  const amountIn: Readonly<Record<Currency, string>> = words.products.amountIn;
  const [currency, setCurrency] = useState(() => currencyNamed(active?.currency) ?? 'EUR');
  const [amount, setAmount] = useState(active ? amountText(active.amount) : '');
  const [tax, setTax] = useState(String(active?.tax_rate ?? 19));
  const [mode, setMode] = useState(active?.billing_mode ?? 'one_time');
  const [recurrence, setRecurrence] = useState(() => recurrenceOf(active));
  const { change: create, send } = useKeyedChange('createPrice');
  /** True while the form asks for a second confirmation of a very different price. */
  const [asking, setAsking] = useState(false);
  const cents = readAmount(amount);
  const recurring = mode === 'recurring' ? termsOf(recurrence) : null;
  const next = cents ? { amount: cents, currency, recurring } : null;
  const save = () => {
    if (!cents) return;
    if (active && !asking && isFarFrom(active.amount, cents)) {
      setAsking(true);
      return;
    }
    const body = {
      amount: cents,
      currency,
      tax_rate: Number(tax.replace(',', '.')),
      billing_mode: mode,
      replaces,
      ...(recurring && { recurring }),
    };
    send({ path: { productId }, body }, onClose);
  };
  const action = replaces ? words.products.newPrice : words.products.firstPrice;
  const change = active && next && words.products.change(priceText(active), priceText(next));
  return (
    <FormDialog
      title={asking ? words.products.sureTitle : action}
      action={action}
      {...(asking && { back: words.common.back, onBack: () => setAsking(false) })}
      disabled={!cents}
      busy={create.isPending}
      error={create.error}
      onSubmit={save}
      onClose={onClose}
    >
      {asking && active && cents ? (
        <div class="note bad">
          <p>{change}</p>
          <p>{words.products.sureText(cents > active.amount)}</p>
        </div>
      ) : (
        <>
          {replaces && <p class="note">{words.products.replaceText}</p>}
          <CurrencyField of={currency} onChange={setCurrency} />
          <TextField
            label={amountIn[currency]}
            at="amount"
            limitText={amountText}
            inputMode="decimal"
            required
            error={amount !== '' && !cents ? words.refund.invalid : null}
            value={amount}
            onValue={setAmount}
          />
          <TextField
            label={words.products.tax}
            at="tax_rate"
            inputMode="decimal"
            required
            pattern="[0-9]{1,2}([.,][0-9]{1,2})?"
            value={tax}
            onValue={setTax}
          />
          <SelectField
            label={words.products.billing}
            at="billing_mode"
            value={mode}
            onValue={(value) => setMode(value === 'recurring' ? 'recurring' : 'one_time')}
            options={[
              ['one_time', words.products.once],
              ['recurring', words.products.recurring],
            ]}
          />
          {recurring && <RecurringFields of={recurrence} onChange={setRecurrence} />}
          {change && <p class="note">{change}</p>}
        </>
      )}
    </FormDialog>
  );
}

/** More than five times as much, or less than a fifth: possibly a misplaced decimal point. */
function isFarFrom(before: number, after: number): boolean {
  return after > 5 * before || before > 5 * after;
}

interface CurrencyFieldProps {
  readonly of: Currency;
  readonly onChange: (currency: Currency) => void;
}

/** Shown only if there is more than one currency. */
function CurrencyField({ of: currency, onChange }: CurrencyFieldProps) {
  const currencies = Object.keys(words.products.amountIn);
  if (currencies.length < 2) return null;
  return (
    <SelectField
      label={words.products.currency}
      at="currency"
      value={currency}
      onValue={(value) => onChange(currencyNamed(value) ?? currency)}
      options={currencies.map((each) => [each, each])}
    />
  );
}

function currencyNamed(name: string | undefined): Currency | undefined {
  return (Object.keys(words.products.amountIn) as Currency[]).find((each) => each === name);
}

function recurrenceOf(price: Schemas['Price'] | null): Recurrence {
  const {
    interval = 'month' as Interval,
    interval_count: count = 1,
    trial_period_days: trial = null,
  } = price?.recurring ?? {};
  return { interval, count: String(count), trial: trial === null ? '' : String(trial) };
}

function termsOf({ interval, count, trial }: Recurrence) {
  return { interval, interval_count: Number(count), trial_period_days: trial ? Number(trial) : null };
}
