import { useState } from 'preact/hooks';
import { useRead } from '../api/use.ts';
import { TextField } from '../ui/field.tsx';
import { isolated } from '../words/format.ts';
import { words } from '../words/words.ts';
import { PreviewedCommand } from './previewed-command.tsx';
import type { ActionProps } from './subscription-command.ts';
import { effectOf, type When } from './subscription-text.ts';
import { WhenField } from './when-field.tsx';

/** Raises the quantity now, for the difference in price, or changes it at the end of the period. */
export function ChangeQuantity(props: ActionProps) {
  const { subscription } = props;
  const { plan } = subscription;
  const { data: product } = useRead('showProduct', { path: { productId: plan.id } });
  const { min, max } = product?.quantity ?? { min: 1, max: 1 };
  const [typed, setTyped] = useState(String(subscription.quantity));
  const [when, setWhen] = useState<When>(subscription.ends_at ? 'now' : 'period_end');
  const quantity = Number(typed);
  const isOther = Number.isInteger(quantity) && quantity >= min && quantity <= max;
  const query = isOther && quantity !== subscription.quantity ? { quantity, effective: when } : null;
  return (
    <PreviewedCommand
      {...props}
      title={words.subscriptions.changeQuantityTitle}
      action={when === 'now' ? words.subscriptions.changeNow : words.subscriptions.schedule}
      query={query}
      commandFor={({ calculated_at }) => ({
        command: 'change_quantity',
        quantity,
        effective: when,
        calculated_at,
      })}
      text={(previewed) => effectOf(when, `${quantity} × ${isolated(plan.name)}`, previewed)}
    >
      <TextField
        label={words.products.quantity}
        at="quantity"
        hint={words.products.quantityText(min, max)}
        type="number"
        inputMode="numeric"
        required
        min={min}
        max={max}
        step="1"
        value={typed}
        onValue={setTyped}
      />
      <WhenField value={when} isLast={subscription.ends_at !== null} onValue={setWhen} />
    </PreviewedCommand>
  );
}
