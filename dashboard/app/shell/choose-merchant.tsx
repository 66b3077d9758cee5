import { useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { Link, Redirect } from 'wouter-preact';
import { useClient } from '../api/context.ts';
import type { Session } from '../session/session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Empty, Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { words } from '../words/words.ts';
import { lastEnvironment } from './last.ts';

/** The merchants of the person; with one only, its home page at once. */
export function ChooseMerchant({ session }: { readonly session: Session }) {
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ['merchants'],
    queryFn: () => client.call('listMerchants', { query: { limit: 100 } }),
  });
  const operator = useQuery({
    queryKey: ['operator'],
    queryFn: () => client.call('showOperatorAccess'),
  });
  useEffect(() => {
    document.title = `${words.shell.merchants} · ${words.common.dashboard}`;
  }, []);
  const merchants = data?.data;
  const [only] = merchants ?? [];
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
      {operator.data && operator.data.may.length > 0 && (
        <Link href="/operations" class="button">
          {words.operations.title}
        </Link>
      )}
      <Button kind="quiet" onClick={() => void session.logOut()}>
        {words.session.logOut}
      </Button>
    </main>
  );
}
