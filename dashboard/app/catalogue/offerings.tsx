import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Button } from '../ui/button.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { words } from '../words/words.ts';
import { OfferingForm } from './offering-form.tsx';
import { ProductStatus } from './products.tsx';

export function Offerings() {
  const mayCreate = useMay('manage_catalogue');
  const [, go] = useLocation();
  const [creating, setCreating] = useState(false);
  const query = useRead('listOfferings');
  return (
    <Page
      title={words.shell.pages.offerings}
      actions={
        mayCreate && (
          <Button kind="primary" onClick={() => setCreating(true)}>
            {words.offerings.create}
          </Button>
        )
      }
    >
      <p class="intro">{words.offerings.intro}</p>
      <List<Schemas['Offering']>
        label={words.shell.pages.offerings}
        query={query}
        keyOf={({ id }) => id}
        href={({ id }) => `/offerings/${id}`}
        columns={offeringColumns()}
        empty={
          <Empty title={words.offerings.empty}>
            <p>{words.offerings.emptyText}</p>
          </Empty>
        }
      />
      {creating && (
        <OfferingForm onClose={() => setCreating(false)} onSaved={({ id }) => go(`/offerings/${id}`)} />
      )}
    </Page>
  );
}

export const offeringColumns = (): readonly Column<Schemas['Offering']>[] => [
  {
    title: words.common.name,
    show: ({ id, name }) => (
      <Link href={`/offerings/${id}`} class="strong">
        {name}
      </Link>
    ),
  },
  { title: words.offerings.plans, show: ({ plan_ids: plans }) => plans.length, numeric: true },
  { title: words.common.status, show: ({ status }) => <ProductStatus status={status} /> },
  { title: words.common.created, show: (row) => <Time at={row.created_at} />, wide: true },
];
