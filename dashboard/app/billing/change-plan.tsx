import { useState } from 'preact/hooks';
import { useRead } from '../api/use.ts';
import { useChoice } from '../catalogue/choice.ts';
import { priceText } from '../catalogue/price-text.ts';
import { SelectField } from '../ui/field.tsx';
import { Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { isolated } from '../words/format.ts';
import { words } from '../words/words.ts';
import { PreviewedCommand } from './previewed-command.tsx';
import type { ActionProps } from './subscription-command.ts';
import { effectOf, type When } from './subscription-text.ts';
import { WhenField } from './when-field.tsx';

/** Changes to a plan of this or another offering: now, for the difference in price, or at the end of the period. */
export function ChangePlan(props: ActionProps) {
  const { subscription } = props;
  // As it was when the dialog opened: if the response was lost, the chosen plan may be the current one by now.
  const [{ offering, plan: current, price_id: priceId }] = useState(subscription);
  const offerings = useRead('listOfferings');
  const [when, setWhen] = useState<When>(subscription.ends_at ? 'now' : 'period_end');
  // The plan can be changed within its own offering even if nothing else can change to that offering any more.
  const offered =
    offerings.data?.data.filter(({ id, status }) => status === 'active' || id === offering?.id) ?? [];
  const [offeringId, setOfferingId] = useChoice(
    offered.map(({ id }) => id),
    offering?.id,
  );
  const plans = useRead(
    'searchProducts',
    { query: { offering_id: offeringId, status: 'active', limit: 100 } },
    { enabled: offeringId !== '' },
  );
  const others = plans.isPlaceholderData
    ? []
    : (plans.data?.data ?? []).filter(
        ({ id, active_price: price }) => price && (id !== current.id || price.id !== priceId),
      );
  const [planId, setPlanId] = useChoice(others.map(({ id }) => id));
  const plan = others.find(({ id }) => id === planId);
  const other = offeringId === offering?.id ? null : offeringId;
  const target = { plan_id: plan?.id ?? '', effective: when };
  return (
    <PreviewedCommand
      {...props}
      title={words.subscriptions.changePlanTitle}
      action={when === 'now' ? words.subscriptions.changeNow : words.subscriptions.schedule}
      query={plan ? { ...target, ...(other && { offering_id: other }) } : null}
      commandFor={({ calculated_at }) => ({
        command: 'change_plan',
        ...target,
        offering_id: other,
        calculated_at,
      })}
      text={(previewed) => effectOf(when, isolated(plan?.name ?? ''), previewed)}
    >
      <ProblemNote error={offerings.error ?? plans.error} />
      {!offerings.data && !offerings.error && <Loading />}
      {offerings.data && offered.length === 0 && <p>{words.subscriptions.noOfferings}</p>}
      {offered.length > 0 && (
        <>
          <SelectField
            label={words.subscriptions.offering}
            at="offering_id"
            value={offeringId}
            onValue={(id) => {
              setOfferingId(id);
              setPlanId('');
            }}
            options={offered.map(({ id, name }) => [id, name])}
          />
          {others.length > 0 && (
            <SelectField
              label={words.subscriptions.plan}
              at={['plan_id', 'quantity']}
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
        </>
      )}
    </PreviewedCommand>
  );
}
