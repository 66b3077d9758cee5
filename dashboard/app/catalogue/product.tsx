import { useState } from 'preact/hooks';
import { useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useChange, useRead } from '../api/use.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Copy } from '../ui/copy.tsx';
import { AlsoLive } from '../ui/dialog.tsx';
import { Card, Fact, Facts, Loading, Page } from '../ui/page.tsx';
import type { PageProps } from '../ui/page-props.ts';
import { ProblemNote } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { words } from '../words/words.ts';
import { MoveSubscribers } from './move-subscribers.tsx';
import { PriceForm } from './price-form.tsx';
import { PriceMoves } from './price-moves.tsx';
import { priceText } from './price-text.ts';
import { ProductForm } from './product-form.tsx';
import { ProductStatus } from './products.tsx';

export function Product({ id }: PageProps) {
  const path = { productId: id };
  const { data, error } = useRead('showProduct', { path });
  const update = useChange('updateProduct');
  const mayChange = useMay('manage_catalogue');
  const [open, setOpen] = useState<'edit' | 'price' | 'deactivate' | null>(null);
  const close = () => setOpen(null);
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  const active = data.status === 'active';
  const switchTo = (status: 'active' | 'inactive') =>
    update.mutate({ path, body: { status } }, { onSuccess: close });
  const priceAction = data.active_price ? words.products.newPrice : words.products.firstPrice;
  return (
    <Page
      title={data.name}
      actions={
        mayChange && (
          <>
            <Button onClick={() => setOpen('edit')}>{words.products.edit}</Button>
            <Button
              busy={update.isPending}
              onClick={() => (active ? setOpen('deactivate') : switchTo('active'))}
            >
              {active ? words.products.deactivate : words.products.activate}
            </Button>
            <Button kind="primary" onClick={() => setOpen('price')}>
              {priceAction}
            </Button>
          </>
        )
      }
    >
      <p class="subtitle">
        <ProductStatus status={data.status} />
        <span>{priceText(data.active_price)}</span>
      </p>
      {/* While the dialog is open, it shows the error of its own request. */}
      <ProblemNote error={open === 'deactivate' ? error : (update.error ?? error)} />
      <div class="columns">
        <div>
          {/* A price move applies to one environment only. */}
          <AlsoLive.Provider value={false}>
            <Card title={words.products.prices}>
              <Prices productId={id} active={data.active_price} />
            </Card>
            <PriceMoves productId={id} />
          </AlsoLive.Provider>
        </div>
        <Card title={words.payments.details}>
          <Details product={data} />
        </Card>
      </div>
      {open === 'edit' && <ProductForm product={data} onClose={close} onSaved={close} />}
      {open === 'price' && <PriceForm productId={id} active={data.active_price} onClose={close} />}
      {open === 'deactivate' && (
        <Confirm
          title={words.products.deactivateTitle}
          text={words.products.deactivateText}
          action={words.products.deactivate}
          danger
          busy={update.isPending}
          error={update.error}
          onConfirm={() => switchTo('inactive')}
          onClose={close}
        />
      )}
    </Page>
  );
}

function Details({ product }: { readonly product: Schemas['Product'] }) {
  return (
    <Facts>
      <Fact name={words.common.id}>
        <Copy value={product.id} />
      </Fact>
      <Fact name={words.products.description}>
        <span class="lines">{product.description ?? words.common.none}</span>
      </Fact>
      <Fact name={words.products.reference}>
        {product.external_reference ? <Copy value={product.external_reference} /> : words.common.none}
      </Fact>
      {product.quantity && (
        <Fact name={words.products.quantity}>
          {words.products.quantityText(product.quantity.min, product.quantity.max)}
        </Fact>
      )}
      {product.billing_cycles && <Fact name={words.products.cycles}>{product.billing_cycles}</Fact>}
      {product.one_subscription_per_customer && (
        <Fact name={words.products.perCustomer}>{words.products.oneSubscription}</Fact>
      )}
      {product.one_trial_per_customer && (
        <Fact name={words.products.perCustomer}>{words.products.oneTrial}</Fact>
      )}
      {product.image_url && (
        <Fact name={words.products.image}>
          <Copy value={product.image_url} />
        </Fact>
      )}
      <Fact name={words.common.created}>
        <Time at={product.created_at} />
      </Fact>
    </Facts>
  );
}

interface PricesProps {
  readonly productId: string;
  readonly active: Schemas['Price'] | null;
}

function Prices({ productId, active }: PricesProps) {
  const { data, error } = useRead('listPrices', { path: { productId } });
  const mayMove = useMay('manage_subscriptions');
  const [moving, setMoving] = useState<Schemas['Price'] | null>(null);
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  if (data.data.length === 0) return <p class="muted">{words.products.noPrice}</p>;
  return (
    <>
      <ul class="rows">
        {data.data.map((price) => (
          <li key={price.id}>
            <strong>{priceText(price)}</strong>
            <Badge tone={price.status === 'active' ? 'good' : 'calm'}>
              {words.products.statuses[price.status]}
            </Badge>
            <Copy value={price.id} />
            {mayMove && active && isReplacedBy(price, active) && (
              <Button kind="quiet" onClick={() => setMoving(price)}>
                {words.products.moves.action}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {moving && active && <MoveSubscribers old={moving} active={active} onClose={() => setMoving(null)} />}
    </>
  );
}

/** Subscribers move between prices of the same interval and currency. */
function isReplacedBy(price: Schemas['Price'], active: Schemas['Price']): boolean {
  const [old, now] = [price.recurring, active.recurring];
  return (
    price.id !== active.id &&
    price.currency === active.currency &&
    old !== null &&
    old.interval === now?.interval &&
    old.interval_count === now.interval_count
  );
}
