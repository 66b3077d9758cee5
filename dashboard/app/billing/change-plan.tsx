import { useState } from 'preact/hooks';
import { useRead } from '../api/use.ts';
import { priceText } from '../catalogue/price-text.ts';
import { SelectField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { isolated } from '../words/format.ts';
import { words } from '../words/words.ts';
import { effectOf, type When, WhenField } from './change-effect.tsx';
import { PreviewNote, usePreview } from './preview.tsx';
import { type ActionProps, useCommand } from './subscription-command.ts';

/** Changes to a plan of this or another offering: now, for the difference in price, or at the end of the period. */
export function ChangePlan(props: ActionProps) {
  const { subscription, onClose } = props;
  const { offering, plan: current } = subscription;
  const offerings = useRead('listOfferings');
  const [chosen, setChosen] = useState(offering?.id ?? '');
  const [planId, setPlanId] = useState('');
  const [when, setWhen] = useState<When>(subscription.ends_at ? 'now' : 'period_end');
  const active = offerings.data?.data.filter(({ status }) => status === 'active') ?? [];
  const offeringId = chosen || (active[0]?.id ?? '');
  const plans = useRead(
    'searchProducts',
    { query: { offering_id: offeringId, status: 'active', limit: 100 } },
    { enabled: offeringId !== '' },
  );
  const { send, busy, error, isSent } = useCommand(props);
  const others = plans.isPlaceholderData
    ? []
    : (plans.data?.data ?? []).filter(
        ({ id, active_price: price }) => price && (id !== current.id || price.id !== subscription.price_id),
      );
  const plan = others.find(({ id }) => id === planId) ?? others[0];
  const other = offeringId === offering?.id ? null : offeringId;
  const query = { plan_id: plan?.id ?? '', effective: when, ...(other && { offering_id: other }) };
  const preview = usePreview(subscription, query, plan !== undefined && !isSent);
  const { previewed } = preview;
  const submit = () => {
    if (!plan || !previewed) return;
    const { calculated_at } = previewed;
    send({ command: 'change_plan', plan_id: plan.id, offering_id: other, effective: when, calculated_at });
  };
  return (
    <FormDialog
      title={words.subscriptions.changePlanTitle}
      action={when === 'now' ? words.subscriptions.changeNow : words.subscriptions.schedule}
      disabled={!previewed}
      busy={busy}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <ProblemNote error={offerings.error ?? plans.error} />
      {!offerings.data && !offerings.error && <Loading />}
      {offerings.data && active.length === 0 && <p>{words.subscriptions.noOfferings}</p>}
      {active.length > 0 && (
        <>
          <SelectField
            label={words.subscriptions.offering}
            value={offeringId}
            onValue={setChosen}
            options={active.map(({ id, name }) => [id, name])}
          />
          {others.length > 0 && (
            <SelectField
              label={words.subscriptions.plan}
              value={plan?.id ?? ''}
              onValue={setPlanId}
              options={others.map(({ id, name, active_price }) => [
                id,
                `${isolated(name)}, ${priceText(active_price)}`,
              ])}
            />
          )}
          {plans.data && !plans.isPlaceholderData && others.length === 0 && (
            <p class="note">{words.subscriptions.noPlans}</p>
          )}
          {plan && <WhenField value={when} isLast={subscription.ends_at !== null} onValue={setWhen} />}
          {plan && <PreviewNote preview={preview} text={(it) => effectOf(when, isolated(plan.name), it)} />}
        </>
      )}
    </FormDialog>
  );
}
