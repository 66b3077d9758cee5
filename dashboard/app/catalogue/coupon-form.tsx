import { useState } from 'preact/hooks';
import { useAt } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useKeyedChange } from '../api/use.ts';
import { startOfDay } from '../ui/days.ts';
import { CheckField, SelectField, TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { amountText, readAmount } from '../words/format.ts';
import { words } from '../words/words.ts';
import { type Choice, ProductChoice } from './product-choice.tsx';

type Request = Schemas['CouponRequest'];

const KINDS = ['percent', 'amount'] as const;
const DURATIONS = ['once', 'repeating', 'forever'] as const;

/** The unparsed input. */
const NOTHING = {
  code: '',
  kind: 'percent' as (typeof KINDS)[number],
  percent: '',
  amount: '',
  duration: 'once' as Request['duration'],
  periods: '3',
  firstPurchaseOnly: false,
  firstDay: '',
  lastDay: '',
  most: '',
  mostPerCustomer: '',
};
type Typed = typeof NOTHING;

/** Creates a coupon of the current environment. */
export function CouponForm({ onClose }: { readonly onClose: () => void }) {
  const { environment } = useAt();
  const [typed, setTyped] = useState(NOTHING);
  const [chosen, setChosen] = useState<readonly Choice[]>([]);
  const { change: create, send } = useKeyedChange('createCoupon');
  const set = (changes: Partial<Typed>) => setTyped({ ...typed, ...changes });
  const deduction = deductionOf(typed);
  const save = () => {
    if (!deduction) return;
    const body = { environment, ...deduction, ...termsOf(typed), product_ids: idsOf(chosen) };
    send({ body }, onClose);
  };
  return (
    <FormDialog
      title={words.coupons.create}
      action={words.coupons.create}
      disabled={!deduction}
      busy={create.isPending}
      error={create.error}
      onSubmit={save}
      onClose={onClose}
    >
      <p class="note">{words.coupons.createText}</p>
      <TextField
        label={words.coupons.code}
        at="code"
        hint={words.coupons.codeHint}
        required
        pattern=".*\S.*"
        maxLength={60}
        value={typed.code}
        onValue={(code) => set({ code })}
      />
      <DiscountFields of={typed} onChange={set} />
      <LimitFields of={typed} onChange={set} />
      <p class="hint">{words.coupons.productsHint}</p>
      <ProductChoice chosen={chosen} onChosen={setChosen} />
    </FormDialog>
  );
}

interface FieldsProps {
  readonly of: Typed;
  readonly onChange: (changes: Partial<Typed>) => void;
}

function DiscountFields({ of, onChange }: FieldsProps) {
  const { kind, percent, amount, duration, periods } = of;
  return (
    <>
      <div class="pair">
        <SelectField
          label={words.coupons.discount}
          value={kind}
          onValue={(value) => onChange({ kind: KINDS.find((each) => each === value) ?? 'percent' })}
          options={KINDS.map((each) => [each, words.coupons.kinds[each]])}
        />
        {kind === 'percent' ? (
          <NumberField
            label={words.coupons.percent}
            at="percent"
            required
            max="100"
            value={percent}
            onValue={(value) => onChange({ percent: value })}
          />
        ) : (
          <TextField
            label={words.products.amountIn.EUR}
            at="amount"
            limitText={amountText}
            inputMode="decimal"
            required
            error={amount !== '' && !readAmount(amount) ? words.refund.invalid : null}
            value={amount}
            onValue={(value) => onChange({ amount: value })}
          />
        )}
      </div>
      <SelectField
        label={words.coupons.charges}
        at="duration"
        hint={words.coupons.chargesHint}
        value={duration}
        onValue={(value) => onChange({ duration: DURATIONS.find((each) => each === value) ?? 'once' })}
        options={DURATIONS.map((each) => [each, words.coupons.durations[each]])}
      />
      {duration === 'repeating' && (
        <NumberField
          label={words.coupons.periods}
          at="periods"
          required
          value={periods}
          onValue={(value) => onChange({ periods: value })}
        />
      )}
    </>
  );
}

function LimitFields({ of, onChange }: FieldsProps) {
  const { firstDay, lastDay, most, mostPerCustomer, firstPurchaseOnly } = of;
  return (
    <>
      <TextField
        label={words.coupons.firstDay}
        at="valid_from"
        hint={words.coupons.firstDayHint}
        type="date"
        value={firstDay}
        onValue={(value) => onChange({ firstDay: value })}
      />
      <TextField
        label={words.coupons.lastDay}
        at="valid_until"
        hint={words.coupons.lastDayHint}
        type="date"
        min={firstDay || undefined}
        value={lastDay}
        onValue={(value) => onChange({ lastDay: value })}
      />
      <NumberField
        label={words.coupons.most}
        at="max_redemptions"
        hint={words.coupons.noLimit}
        value={most}
        onValue={(value) => onChange({ most: value })}
      />
      <NumberField
        label={words.coupons.mostPerCustomer}
        at="max_per_customer"
        hint={words.coupons.noLimit}
        value={mostPerCustomer}
        onValue={(value) => onChange({ mostPerCustomer: value })}
      />
      <CheckField
        label={words.coupons.firstPurchaseOnly}
        checked={firstPurchaseOnly}
        onValue={(value) => onChange({ firstPurchaseOnly: value })}
      />
    </>
  );
}

interface NumberProps {
  readonly label: string;
  readonly at: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly max?: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** `max` defaults to the API's limit. */
function NumberField({ max = '1000000000', ...props }: NumberProps) {
  return <TextField {...props} type="number" inputMode="numeric" min="1" max={max} step="1" />;
}

function deductionOf({ kind, percent, amount }: Typed): Pick<Request, 'percent' | 'amount'> | null {
  if (kind === 'percent') return percent === '' ? null : { percent: Number(percent) };
  const cents = readAmount(amount);
  return cents ? { amount: cents } : null;
}

function termsOf(typed: Typed): Omit<Request, 'environment'> {
  return {
    code: typed.code.trim(),
    duration: typed.duration,
    periods: typed.duration === 'repeating' ? Number(typed.periods) : null,
    first_purchase_only: typed.firstPurchaseOnly,
    valid_from: startOfDay(typed.firstDay, 0),
    valid_until: startOfDay(typed.lastDay, 1),
    max_redemptions: limitOf(typed.most),
    max_per_customer: limitOf(typed.mostPerCustomer),
  };
}

const limitOf = (typed: string) => (typed === '' ? undefined : Number(typed));

const idsOf = (chosen: readonly Choice[]) => (chosen.length === 0 ? undefined : chosen.map(({ id }) => id));
