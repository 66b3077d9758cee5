import type { Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Period, usePeriod } from '../payments/period.tsx';
import { Copy } from '../ui/copy.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { useUrlState } from '../ui/url-state.ts';
import { words } from '../words/words.ts';

type Entry = Schemas['AuditEntry'];

export function Audit() {
  const [filterOf] = useUrlState();
  const cursor = filterOf('cursor') || undefined;
  const query = useRead('listAudit', { query: { ...usePeriod(), cursor, limit: 25 } }, { live: !cursor });
  return (
    <Page title={words.shell.pages.audit}>
      <List<Entry>
        label={words.shell.pages.audit}
        query={query}
        keyOf={({ id }) => id}
        filterNames={['from', 'to']}
        filters={<Period />}
        columns={[
          { title: words.audit.when, show: ({ at }) => <Time at={at} /> },
          { title: words.audit.who, show: ({ actor }) => actor.replace(/^person:/, '') },
          {
            title: words.audit.what,
            show: ({ action }) => <span title={action}>{actionInWords(action)}</span>,
          },
          { title: words.audit.changes, show: (entry) => <Changes entry={entry} /> },
          { title: words.audit.subject, show: (entry) => <Copy value={entry.subject_id} />, wide: true },
        ]}
        empty={
          <Empty title={words.audit.empty}>
            <p>{words.audit.emptyText}</p>
          </Empty>
        }
      />
    </Page>
  );
}

function actionInWords(action: string): string {
  const [subject = '', deed = ''] = action.split('.');
  const { subjects, deeds } = words.audit;
  const [what, done] = [subjects[subject], deeds[deed]];
  return what && done ? `${what}: ${done}` : action;
}

/** The changed fields of an entry, each with its old and new value. */
function Changes({ entry: { before, after } }: { readonly entry: Entry }) {
  const [old, now] = [membersOf(before), membersOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => name !== 'updated_at' && JSON.stringify(old[name]) !== JSON.stringify(now[name]),
  );
  if (names.length === 0) return <>{words.common.none}</>;
  return (
    <details>
      <summary>{names.slice(0, 3).join(', ')}</summary>
      <dl class="diff">
        {names.map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            {before !== null && <dd class="before">{textOf(old[name])}</dd>}
            {after !== null && <dd class="after">{textOf(now[name])}</dd>}
          </div>
        ))}
      </dl>
    </details>
  );
}

function membersOf(state: unknown): Readonly<Record<string, unknown>> {
  return typeof state === 'object' && state !== null ? (state as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return words.common.none;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
