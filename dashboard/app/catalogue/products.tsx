import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useMay } from '../api/at.ts';
import type { Operations, Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { StatusFilter } from '../ui/status-filter.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { useUrlState } from '../ui/url-state.ts';
import { words } from '../words/words.ts';
import { priceText } from './price-text.ts';
import { ProductForm } from './product-form.tsx';

type Product = Schemas['Product'];
type Query = Operations['searchProducts']['query'];

export function Products() {
  const mayCreate = useMay('manage_catalogue');
  const [, go] = useLocation();
  const [creating, setCreating] = useState(false);
  const [filterOf] = useUrlState();
  const query = useRead('searchProducts', {
    query: {
      q: filterOf('q') || undefined,
      status: (filterOf('status') || undefined) as Query['status'],
      cursor: filterOf('cursor') || undefined,
    },
  });
  return (
    <Page
      title={words.shell.pages.products}
      actions={
        mayCreate && (
          <Button kind="primary" onClick={() => setCreating(true)}>
            {words.products.create}
          </Button>
        )
      }
    >
      <List<Product>
        label={words.shell.pages.products}
        query={query}
        keyOf={({ id }) => id}
        searchHint={words.products.search}
        filterNames={['status']}
        filters={<StatusFilter options={words.products.statuses} />}
        href={({ id }) => `/products/${id}`}
        columns={productColumns()}
        empty={
          <Empty title={words.products.empty}>
            <p>{words.products.emptyText}</p>
          </Empty>
        }
      />
      {creating && (
        <ProductForm onClose={() => setCreating(false)} onSaved={({ id }) => go(`/products/${id}`)} />
      )}
    </Page>
  );
}

export const productColumns = (): readonly Column<Product>[] => [
  {
    title: words.products.name,
    show: ({ id, name }) => (
      <Link href={`/products/${id}`} class="strong">
        {name}
      </Link>
    ),
  },
  { title: words.products.price, show: (row) => priceText(row.active_price) },
  { title: words.common.status, show: ({ status }) => <ProductStatus status={status} /> },
  {
    title: words.products.reference,
    show: (row) => row.external_reference ?? words.common.none,
    wide: true,
  },
  { title: words.common.created, show: (row) => <Time at={row.created_at} />, wide: true },
];

export function ProductStatus({ status }: Pick<Product, 'status'>) {
  return <Badge tone={status === 'active' ? 'good' : 'calm'}>{words.products.statuses[status]}</Badge>;
}
