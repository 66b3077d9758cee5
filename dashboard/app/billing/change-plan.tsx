import { useState } from 'preact/hooks';
import { useRead } from '../api/use.ts';
import { priceText } from '../catalogue/price-text.ts';
import { SelectField } from '../ui/field.tsx';
import { Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { isolated } from '../words/format.ts';
import { words } from '../words/words.ts';
import { effectOf, type When, WhenField } from './change-effect.tsx';
import { PreviewedCommand } from './previewed-command.tsx';
import type { ActionProps } from './subscription-command.ts';

/** Changes to a plan of this or another offering: now, for the difference in price, or at the end of the period. */
export function ChangePlan(props: ActionProps) {
  const { subscription } = props;
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
  const others = plans.isPlaceholderData
    ? []
    : (plans.data?.data ?? []).filter(
        ({ id, active_price: price }) => price && (id !== current.id || price.id !== subscription.price_id),
      );
  const plan = others.find(({ id }) => id === planId) ?? others[0];
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
      {offerings.data && active.length === 0 && <p>{words.subscriptions.noOfferings}</p>}
      {active.length > 0 && (
        <>
          <SelectField
            label={words.subscriptions.offering}
            at="offering_id"
            value={offeringId}
            onValue={setChosen}
            options={active.map(({ id, name }) => [id, name])}
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
