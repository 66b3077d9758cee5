import { Link } from 'wouter-preact';
import { BASE } from '../api/config.ts';
import type { Schemas } from '../api/description.ts';
import { Badge } from '../ui/badge.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { useUrlState } from '../ui/url-state.ts';
import { words } from '../words/words.ts';
import { useOperatorRead } from './use.ts';

type Health = Schemas['MerchantHealth'];

const RAIL_TONES = { active: 'good', activating: 'wait', disabled: 'bad' } as const;

export function MerchantsHealth() {
  const [filterOf] = useUrlState();
  const query = useOperatorRead('listMerchantHealth', {
    query: { q: filterOf('q') || undefined, cursor: filterOf('cursor') || undefined },
  });
  return (
    <Page title={words.operations.merchants}>
      <List<Health>
        label={words.operations.merchants}
        query={query}
        keyOf={({ id }) => id}
        searchHint={words.operations.merchantSearch}
        columns={[
          { title: words.common.name, show: (row) => <Name merchant={row} /> },
          { title: words.operations.liveRail, show: ({ live_rail: status }) => <Rail status={status} /> },
          {
            title: words.operations.sandboxRail,
            show: ({ sandbox_rail: status }) => <Rail status={status} />,
            wide: true,
          },
          {
            title: words.operations.endpoints,
            show: ({ endpoints_failing: failing }) =>
              failing > 0 ? <Badge tone="bad">{String(failing)}</Badge> : words.common.none,
            wide: true,
          },
          {
            title: words.operations.lastSale,
            show: ({ last_sale_at: at }) => (at ? <Time at={at} /> : words.common.none),
            wide: true,
          },
          { title: words.operations.incidents, show: (row) => <Open merchant={row} /> },
        ]}
        empty={<Empty title={words.shell.noMerchants} />}
      />
    </Page>
  );
}

function Name({ merchant: { id, name, status } }: { readonly merchant: Health }) {
  return (
    <>
      <Link href={`~${BASE}/${id}/live`} class="strong">
        {name}
      </Link>
      {status === 'inactive' && ' '}
      {status === 'inactive' && <Badge tone="bad">{words.products.statuses.inactive}</Badge>}
    </>
  );
}

function Rail({ status }: { readonly status: Health['live_rail'] }) {
  if (!status) return <>{words.common.none}</>;
  return <Badge tone={RAIL_TONES[status]}>{words.rail.statuses[status]}</Badge>;
}

function Open({ merchant: { id, incidents } }: { readonly merchant: Health }) {
  if (incidents === 0) return <>{words.common.none}</>;
  return (
    <Link href={`/?merchant=${id}`} class="strong">
      {words.operations.open(incidents)}
    </Link>
  );
}
