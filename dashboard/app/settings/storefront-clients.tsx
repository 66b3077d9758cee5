import { useState } from 'preact/hooks';
import { useAt, useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useChange, useRead } from '../api/use.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Copy } from '../ui/copy.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { words } from '../words/words.ts';
import { EditStorefront, StorefrontForm } from './storefront-form.tsx';

type Client = Schemas['StorefrontClient'];

export function StorefrontClients() {
  const { environment } = useAt();
  const mayCreate = useMay('manage_endpoints');
  const [creating, setCreating] = useState(false);
  const [editing, setEditing] = useState<Client | null>(null);
  const query = useRead('listStorefrontClients');
  const own = query.data && { data: query.data.data.filter((each) => each.environment === environment) };
  return (
    <Page
      title={words.shell.pages.storefront}
      actions={
        mayCreate && (
          <Button kind="primary" onClick={() => setCreating(true)}>
            {words.storefront.create}
          </Button>
        )
      }
    >
      <p class="intro">{words.storefront.intro}</p>
      <List<Client>
        label={words.shell.pages.storefront}
        query={{ ...query, data: own }}
        keyOf={({ id }) => id}
        columns={[
          { title: words.common.name, show: ({ name }) => <strong>{name}</strong> },
          { title: words.storefront.publicId, show: ({ id }) => <Copy value={id} /> },
          { title: words.storefront.origins, show: ({ origins }) => origins.join(', '), wide: true },
          { title: words.storefront.products, show: (row) => row.product_ids.length, wide: true },
          { title: words.common.status, show: (row) => <Status client={row} onEdit={setEditing} /> },
        ]}
        empty={
          <Empty title={words.storefront.empty}>
            <p>{words.storefront.emptyText}</p>
          </Empty>
        }
      />
      {creating && <StorefrontForm onClose={() => setCreating(false)} />}
      {editing && <EditStorefront client={editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}

interface StatusProps {
  readonly client: Client;
  readonly onEdit: (client: Client) => void;
}

function Status({ client, onEdit }: StatusProps) {
  const { id, status } = client;
  const mayChange = useMay('manage_endpoints');
  const update = useChange('updateStorefrontClient');
  const [asking, setAsking] = useState(false);
  const active = status === 'active';
  const set = (to: Client['status']) =>
    update.mutate({ path: { clientId: id }, body: { status: to } }, { onSuccess: () => setAsking(false) });
  return (
    <span class="row-actions">
      <Badge tone={active ? 'good' : 'calm'}>{words.storefront.statuses[status]}</Badge>
      {mayChange && (
        <Button kind="quiet" onClick={() => onEdit(client)}>
          {words.storefront.edit}
        </Button>
      )}
      {mayChange && (
        <Button
          kind="quiet"
          busy={update.isPending}
          onClick={() => (active ? setAsking(true) : set('active'))}
        >
          {active ? words.storefront.deactivate : words.storefront.activate}
        </Button>
      )}
      {asking ? (
        <Confirm
          title={words.storefront.deactivateTitle}
          text={words.storefront.deactivateText}
          action={words.storefront.deactivate}
          danger
          busy={update.isPending}
          error={update.error}
          onConfirm={() => set('disabled')}
          onClose={() => setAsking(false)}
        />
      ) : (
        <ProblemNote error={update.error} />
      )}
    </span>
  );
}
