import { useState } from 'preact/hooks';
import { useAt, useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useChange, useRead } from '../api/use.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import type { Column } from '../ui/table.tsx';
import { count, isolated } from '../words/format.ts';
import { words } from '../words/words.ts';
import { CouponForm } from './coupon-form.tsx';
import { discountText, validityText } from './coupon-text.ts';

type Coupon = Schemas['Coupon'];

export function Coupons() {
  const { environment } = useAt();
  const mayManage = useMay('manage_coupons');
  const [creating, setCreating] = useState(false);
  const query = useRead('listCoupons', { query: { environment } });
  return (
    <Page
      title={words.shell.pages.coupons}
      actions={
        mayManage && (
          <Button kind="primary" onClick={() => setCreating(true)}>
            {words.coupons.create}
          </Button>
        )
      }
    >
      <p class="intro">{words.coupons.intro}</p>
      <List<Coupon>
        label={words.shell.pages.coupons}
        query={query}
        keyOf={({ id }) => id}
        columns={couponColumns()}
        empty={
          <Empty title={words.coupons.empty}>
            <p>{words.coupons.emptyText}</p>
          </Empty>
        }
      />
      {creating && <CouponForm onClose={() => setCreating(false)} />}
    </Page>
  );
}

export const couponColumns = (): readonly Column<Coupon>[] => [
  { title: words.coupons.code, show: ({ code }) => <strong class="coupon-code">{code}</strong> },
  { title: words.coupons.discount, show: discountText },
  { title: words.coupons.products, show: (row) => <ForWhat coupon={row} />, wide: true },
  { title: words.coupons.valid, show: validityText, wide: true },
  { title: words.coupons.redemptions, show: (row) => <Redemptions coupon={row} /> },
  { title: words.common.status, show: (row) => <Status coupon={row} /> },
];

/** Number of product names to load; a coupon may have hundreds of products. */
const NAMED = 2;

function ForWhat({
  coupon: { product_ids: ids, first_purchase_only: onlyFirst },
}: {
  readonly coupon: Coupon;
}) {
  return (
    <>
      {ids ? <Names ids={ids} /> : words.coupons.allProducts}
      {onlyFirst && <p class="muted">{words.coupons.firstPurchase}</p>}
    </>
  );
}

function Names({ ids }: { readonly ids: readonly string[] }) {
  const [first = '', second = ''] = ids;
  const names = [useName(first), useName(second)].slice(0, ids.length).map(isolated).join(', ');
  return <>{ids.length > NAMED ? words.coupons.more(names, ids.length - NAMED) : names}</>;
}

function useName(productId: string): string {
  const { data } = useRead('showProduct', { path: { productId } }, { enabled: productId !== '' });
  return data?.id === productId ? data.name : productId;
}

function Redemptions({ coupon }: { readonly coupon: Coupon }) {
  const { redemptions, max_redemptions: most, max_per_customer: perCustomer } = coupon;
  return (
    <>
      {most === null ? count(redemptions) : words.coupons.redeemed(count(redemptions), count(most))}
      {perCustomer !== null && <p class="muted">{words.coupons.perCustomer(count(perCustomer))}</p>}
    </>
  );
}

function Status({ coupon: { id, code, status, valid_until: until } }: { readonly coupon: Coupon }) {
  const mayManage = useMay('manage_coupons');
  const stop = useChange('updateCoupon');
  const [asking, setAsking] = useState(false);
  const active = status === 'active';
  const shown = active && until !== null && Date.parse(until) <= Date.now() ? 'expired' : status;
  const close = () => setAsking(false);
  return (
    <span class="row-actions">
      <Badge tone={shown === 'active' ? 'good' : 'calm'}>{words.coupons.statuses[shown]}</Badge>
      {mayManage && active && (
        <Button kind="quiet" onClick={() => setAsking(true)}>
          {words.coupons.stop}
        </Button>
      )}
      {asking && (
        <Confirm
          title={words.coupons.stopTitle(isolated(code))}
          text={words.coupons.stopText}
          action={words.coupons.stop}
          danger
          busy={stop.isPending}
          error={stop.error}
          onConfirm={() =>
            stop.mutate({ path: { couponId: id }, body: { status: 'stopped' } }, { onSuccess: close })
          }
          onClose={close}
        />
      )}
    </span>
  );
}
