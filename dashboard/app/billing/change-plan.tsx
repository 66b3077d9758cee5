import { useState } from 'preact/hooks';
import { useRead } from '../api/use.ts';
import { priceText } from '../catalogue/price-text.ts';
import { SelectField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { dayOf } from '../words/format.ts';
import { words } from '../words/words.ts';
import { type ActionProps, useCommand } from './subscription-command.ts';

/** Schedules a move to another plan, in the same offering or a different one. */
export function ChangePlan(props: ActionProps) {
  const { subscription, onClose } = props;
  const { offering, plan: current, current_period_end: end } = subscription;
  const offerings = useRead('listOfferings');
  const [chosen, setChosen] = useState(offering?.id ?? '');
  const [planId, setPlanId] = useState('');
  const active = offerings.data?.data.filter(({ status }) => status === 'active') ?? [];
  const offeringId = chosen || (active[0]?.id ?? '');
  const plans = useRead(
    'searchProducts',
    { query: { offering_id: offeringId, status: 'active', limit: 100 } },
    { enabled: offeringId !== '' },
  );
  const { send, busy, error } = useCommand(props);
  const others = plans.isPlaceholderData
    ? []
    : (plans.data?.data ?? []).filter(({ id }) => id !== current.id);
  const plan = others.find(({ id }) => id === planId) ?? others[0];
  const submit = () => {
    if (!plan) return;
    const other = offeringId === offering?.id ? null : offeringId;
    send({ command: 'change_plan', plan_id: plan.id, offering_id: other });
  };
  return (
    <FormDialog
      title={words.subscriptions.changePlanTitle}
      action={words.subscriptions.schedule}
      disabled={!plan}
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
                `${name}, ${priceText(active_price)}`,
              ])}
            />
          )}
          {plans.data && !plans.isPlaceholderData && others.length === 0 && (
            <p class="note">{words.subscriptions.noPlans}</p>
          )}
          {plan && end && <p class="note">{words.subscriptions.changePlanText(dayOf(end))}</p>}
        </>
      )}
    </FormDialog>
  );
}
