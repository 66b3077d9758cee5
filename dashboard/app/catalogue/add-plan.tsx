import { useState } from 'preact/hooks';
import type { Schemas } from '../api/description.ts';
import { useChange, useRead } from '../api/use.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { isolated } from '../words/format.ts';
import { words } from '../words/words.ts';
import { useChoice } from './choice.ts';
import { priceText } from './price-text.ts';

interface AddPlanProps {
  readonly offering: Schemas['Offering'];
  readonly onClose: () => void;
}

/** Adds a product with a recurring price. Shows only the newest matches, because there may be ten thousand products. */
export function AddPlan({ offering, onClose }: AddPlanProps) {
  // As they were when the dialog opened: if the response was lost, the chosen plan may be among them by now.
  const [{ plan_ids: plans }] = useState(offering);
  const [q, setQ] = useState('');
  const found = useRead('searchProducts', {
    query: { q: q.trim() || undefined, status: 'active', billing_mode: 'recurring', limit: 100 },
  });
  const update = useChange('updateOffering');
  const matches = found.isPlaceholderData ? undefined : found.data?.data;
  const fitting = (matches ?? []).filter((each) => !plans.includes(each.id));
  const [planId, setPlanId] = useChoice(fitting.map((each) => each.id));
  const plan = fitting.find((each) => each.id === planId);
  const add = () => {
    if (!plan) return;
    const body = { plan_ids: [...new Set([...offering.plan_ids, plan.id])] };
    update.mutate({ path: { offeringId: offering.id }, body }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={words.offerings.addPlan}
      action={words.offerings.addPlan}
      disabled={!plan}
      busy={update.isPending}
      error={update.error ?? found.error}
      onSubmit={add}
      onClose={onClose}
    >
      <TextField
        label={words.offerings.findPlan}
        hint={words.products.search}
        type="search"
        value={q}
        onValue={(typed) => {
          setQ(typed);
          setPlanId('');
        }}
      />
      {fitting.length > 0 ? (
        <SelectField
          label={words.subscriptions.plan}
          at="plan_ids"
          value={plan?.id ?? ''}
          onValue={setPlanId}
          options={fitting.map((each) => [
            each.id,
            `${isolated(each.name)}, ${priceText(each.active_price)}`,
          ])}
        />
      ) : (
        matches && <p class="note">{words.offerings.noPlan}</p>
      )}
    </FormDialog>
  );
}
