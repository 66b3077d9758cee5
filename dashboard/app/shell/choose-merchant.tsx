import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { Link, Redirect } from 'wouter-preact';
import { useClient } from '../api/context.ts';
import type { Session } from '../session/log-in.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Empty, Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { words } from '../words/words.ts';
import { CreateMerchant } from './create-merchant.tsx';
import { lastEnvironment } from './last-environment.ts';

const SHOWN = 100;

/** The person's merchants; with only one, redirects to its home page. */
export function ChooseMerchant({ session }: { readonly session: Session }) {
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ['merchants'],
    queryFn: () => client.call('listMerchants', { query: { limit: SHOWN } }),
  });
  const operator = useQuery({
    queryKey: ['operator'],
    queryFn: () => client.call('showOperatorAccess'),
  });
  const [creating, setCreating] = useState(false);
  useEffect(() => {
    document.title = `${words.shell.merchants} · ${words.common.dashboard}`;
  }, []);
  const merchants = data?.data;
  const [only] = merchants ?? [];
  const operates = (operator.data?.may.length ?? 0) > 0;
  const stay = new URLSearchParams(location.search).has('choose');
  if (merchants?.length === 1 && only && !stay)
    return <Redirect to={`/${only.id}/${lastEnvironment()}`} replace />;
  return (
    <main class="screen wide-screen">
      <h1>{words.shell.merchants}</h1>
      <ProblemNote error={error} />
      {!merchants && !error && <Loading />}
      {merchants?.length === 0 && (
        <Empty title={words.shell.noMerchants}>
          <p>{words.shell.noMerchantsText}</p>
        </Empty>
      )}
      <ul class="merchants">
        {merchants?.map(({ id, name, status }) => (
          <li key={id}>
            <Link href={`/${id}/${lastEnvironment()}`}>
              <strong>{name}</strong>
              <code>{id}</code>
              {status === 'inactive' && <Badge tone="bad">{words.products.statuses.inactive}</Badge>}
            </Link>
          </li>
        ))}
      </ul>
      {operates && data?.next_cursor && (
        <p class="muted">
          {words.shell.newestShown(SHOWN)}{' '}
          <Link href="/operations/merchants">{words.shell.findMerchant}</Link>
        </p>
      )}
      {operates && (
        <Link href="/operations" class="button">
          {words.operations.title}
        </Link>
      )}
      {operator.data?.may.includes('act') && (
        <Button onClick={() => setCreating(true)}>{words.shell.createMerchant}</Button>
      )}
      <Button kind="quiet" onClick={() => void session.logOut()}>
        {words.session.logOut}
      </Button>
      {creating && <CreateMerchant onClose={() => setCreating(false)} />}
    </main>
  );
}
