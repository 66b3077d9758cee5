import { Link } from 'wouter-preact';
import type { Operations, Schemas } from '../api/description.ts';
import { Badge } from '../ui/badge.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { useUrlState } from '../ui/url-state.ts';
import { money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { SecondPerson } from './second-person.tsx';
import { useMayAct, useOperatorRead } from './use.ts';

type Incident = Schemas['Incident'];
type Query = Operations['listIncidents']['query'];

export function Incidents() {
  const [filterOf, set] = useUrlState();
  const filter: Query = {
    environment: (filterOf('environment') || undefined) as Query['environment'],
    merchant_id: filterOf('merchant') || undefined,
    kind: (filterOf('kind') || undefined) as Query['kind'],
  };
  const query = useOperatorRead('listIncidents', { query: filter });
  const kinds = Object.entries(words.operations.kinds);
  return (
    <Page title={words.operations.incidents}>
      <List<Incident>
        label={words.operations.incidents}
        query={query}
        keyOf={({ kind, id, environment }) => `${kind} ${id} ${environment}`}
        filterNames={['environment', 'kind', 'merchant']}
        filters={
          <>
            <select
              aria-label={words.common.environment}
              value={filterOf('environment')}
              onChange={({ currentTarget }) => set({ environment: currentTarget.value })}
            >
              <option value="">{words.operations.both}</option>
              <option value="production">{words.common.production}</option>
              <option value="sandbox">{words.common.sandbox}</option>
            </select>
            <select
              aria-label={words.operations.kind}
              value={filterOf('kind')}
              onChange={({ currentTarget }) => set({ kind: currentTarget.value })}
            >
              <option value="">{words.operations.anyKind}</option>
              {kinds.map(([kind, text]) => (
                <option key={kind} value={kind}>
                  {text}
                </option>
              ))}
            </select>
          </>
        }
        columns={[
          { title: words.operations.kind, show: (row) => <Kind incident={row} /> },
          {
            title: words.common.amount,
            show: ({ amount, currency }) =>
              amount !== null && currency ? money(amount, currency) : words.common.none,
            numeric: true,
          },
          {
            title: words.operations.merchant,
            show: (row) => row.merchant_name ?? words.common.none,
          },
          { title: words.operations.why, show: (row) => <Why incident={row} /> },
          { title: words.operations.since, show: ({ since }) => <Time at={since} /> },
          { title: words.operations.links, show: (row) => <Links incident={row} />, wide: true },
        ]}
        empty={
          <Empty title={words.operations.noIncidents}>
            <p>{words.operations.noIncidentsText}</p>
          </Empty>
        }
      />
    </Page>
  );
}

export const kindText = (kind: Incident['kind']) => words.operations.kinds[kind];

/** Shows the kind with its name in alerts, `list` and the runbook. */
function Kind({ incident: { kind, id, environment } }: { readonly incident: Incident }) {
  // The id of a lost request begins with its subscription's id, so link to the subscription's page, which shows the
  // request.
  const subject = id.replace(/^(ap_.*):.*/, '$1');
  return (
    <span class="wraps">
      <Link href={`/subjects/${subject}`} class="strong">
        {kindText(kind)}
      </Link>
      {environment === 'sandbox' && ' '}
      {environment === 'sandbox' && <Badge tone="calm">{words.common.sandbox}</Badge>}
      <code>{kind}</code>
    </span>
  );
}

/** Shown in full, because the end of a reason may be a deadline. */
function Why({ incident: { reason, next } }: { readonly incident: Incident }) {
  return (
    <span class="wraps">
      {reason}
      <code>{next}</code>
    </span>
  );
}

function Links({ incident: { links, request } }: { readonly incident: Incident }) {
  const mayAct = useMayAct();
  return (
    <span class="row-actions">
      {request && mayAct && <SecondPerson request={request} />}
      <TemporalLink href={links.temporal_ui} />
      {links.runbook.startsWith('http') && (
        <a href={links.runbook} target="_blank" rel="noreferrer">
          {words.operations.runbook}
        </a>
      )}
    </span>
  );
}

export function TemporalLink({ href }: { readonly href: string | null }) {
  if (!href) return null;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {words.operations.temporal}
    </a>
  );
}
