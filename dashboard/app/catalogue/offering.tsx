import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useChange, useRead } from '../api/use.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Copy } from '../ui/copy.tsx';
import { Card, Fact, Facts, Loading, Page } from '../ui/page.tsx';
import type { PageProps } from '../ui/page-props.ts';
import { ProblemNote } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { isolated } from '../words/format.ts';
import { words } from '../words/words.ts';
import { AddPlan } from './add-plan.tsx';
import { OfferingForm } from './offering-form.tsx';
import { priceText } from './price-text.ts';
import { ProductStatus } from './products.tsx';

type Plan = Schemas['Product'];

export function Offering({ id }: PageProps) {
  const path = { offeringId: id };
  // The set of plans is replaced as a whole, so read it live to keep a colleague's plan.
  const { data, error } = useRead('showOffering', { path }, { live: true });
  const update = useChange('updateOffering');
  const mayChange = useMay('manage_catalogue');
  const [open, setOpen] = useState<'rename' | 'add' | 'deactivate' | Plan | null>(null);
  const close = () => setOpen(null);
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  const active = data.status === 'active';
  const change = (body: Schemas['OfferingChanges']) => update.mutate({ path, body }, { onSuccess: close });
  const asked = { busy: update.isPending, error: update.error, onClose: close, danger: true };
  const actions = mayChange && (
    <Actions
      active={active}
      busy={update.isPending}
      onOpen={setOpen}
      onActivate={() => change({ status: 'active' })}
    />
  );
  return (
    <Page title={data.name} actions={actions}>
      <p class="subtitle">
        <ProductStatus status={data.status} />
        <span>{words.offerings.count(data.plan_ids.length)}</span>
      </p>
      <ProblemNote error={open === null ? (update.error ?? error) : error} />
      <div class="columns">
        <Card title={words.offerings.plans}>
          <Plans offering={data} onRemove={mayChange ? setOpen : null} />
        </Card>
        <Card title={words.payments.details}>
          <Facts>
            <Fact name={words.common.id}>
              <Copy value={data.id} />
            </Fact>
            <Fact name={words.common.created}>
              <Time at={data.created_at} />
            </Fact>
          </Facts>
        </Card>
      </div>
      {open === 'rename' && <OfferingForm offering={data} onClose={close} onSaved={close} />}
      {open === 'add' && <AddPlan offering={data} onClose={close} />}
      {open === 'deactivate' && (
        <Confirm
          {...asked}
          title={words.offerings.deactivateTitle}
          text={words.offerings.deactivateText}
          action={words.products.deactivate}
          onConfirm={() => change({ status: 'inactive' })}
        />
      )}
      {open !== null && typeof open === 'object' && (
        <Confirm
          {...asked}
          title={words.offerings.removeTitle(isolated(open.name))}
          text={words.offerings.removeText}
          action={words.offerings.remove}
          onConfirm={() => change({ plan_ids: data.plan_ids.filter((each) => each !== open.id) })}
        />
      )}
    </Page>
  );
}

interface ActionsProps {
  readonly active: boolean;
  readonly busy: boolean;
  readonly onOpen: (dialog: 'rename' | 'add' | 'deactivate') => void;
  readonly onActivate: () => void;
}

function Actions({ active, busy, onOpen, onActivate }: ActionsProps) {
  return (
    <>
      <Button onClick={() => onOpen('rename')}>{words.offerings.rename}</Button>
      <Button busy={busy} onClick={() => (active ? onOpen('deactivate') : onActivate())}>
        {active ? words.products.deactivate : words.products.activate}
      </Button>
      <Button kind="primary" onClick={() => onOpen('add')}>
        {words.offerings.addPlan}
      </Button>
    </>
  );
}

interface PlansProps {
  readonly offering: Schemas['Offering'];
  /** Null if the user lacks permission. */
  readonly onRemove: ((plan: Plan) => void) | null;
}

function Plans({ offering: { id, plan_ids: ids }, onRemove }: PlansProps) {
  const { data, error } = useRead(
    'searchProducts',
    { query: { offering_id: id, limit: 100 } },
    { live: true },
  );
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  if (ids.length === 0) return <p class="muted">{words.offerings.noPlans}</p>;
  return (
    <ul class="rows">
      {data.data.map((plan) => (
        <li key={plan.id}>
          <span>
            <Link href={`/products/${plan.id}`} class="strong">
              {plan.name}
            </Link>{' '}
            <span class="muted">{priceText(plan.active_price)}</span>
          </span>
          {onRemove && (
            <Button
              kind="quiet"
              aria-label={words.offerings.removeTitle(plan.name)}
              onClick={() => onRemove(plan)}
            >
              {words.offerings.remove}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
