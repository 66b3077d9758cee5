import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/preact-query';
import { useMemo, useState } from 'preact/hooks';
import { Route, Router, Switch } from 'wouter-preact';
import { createClient, Problem } from '../api/client.ts';
import { BASE, type Config } from '../api/config.ts';
import { ClientContext } from '../api/context.ts';
import type { Session } from '../session/log-in.ts';
import { ChooseMerchant } from './choose-merchant.tsx';
import { useExpiry } from './expired.tsx';
import { ACCESS, Merchant } from './merchant.tsx';
import { Operations } from './operations.tsx';

export function App({ config, session }: { readonly config: Config; readonly session: Session }) {
  const { whenExpired, dialog } = useExpiry(session);
  const client = useMemo(
    () => createClient(config.apiUrl, session, whenExpired),
    [config, session, whenExpired],
  );
  const [queries] = useState(createQueries);
  return (
    <ClientContext.Provider value={client}>
      <QueryClientProvider client={queries}>
        <Router base={BASE}>
          <Switch>
            <Route path="/operations/*?">
              {({ '*': rest }) => <Operations session={session} rest={rest ?? ''} />}
            </Route>
            <Route path="/:merchantId/:environment/*?">
              {({ merchantId, environment, '*': rest }) => (
                <Merchant merchantId={merchantId} segment={environment} rest={rest ?? ''} session={session} />
              )}
            </Route>
            <Route>
              <ChooseMerchant session={session} />
            </Route>
          </Switch>
        </Router>
        {dialog}
      </QueryClientProvider>
    </ClientContext.Provider>
  );
}

/** Do not retry an error response, only a lost connection. */
function createQueries(): QueryClient {
  const queries = new QueryClient({
    queryCache: new QueryCache({
      // Forbidden: the person's permissions have changed, so read them again immediately.
      onError: (error, { queryKey: [whose, what] }) => {
        if (error instanceof Problem && error.status === 403 && what !== ACCESS)
          void queries.invalidateQueries({ queryKey: [whose, ACCESS] });
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 1_000,
        retry: (failures, error) =>
          failures < 5 && (!(error instanceof Problem) || error.status === 0 || error.status >= 500),
      },
      // A change made while offline fails immediately, instead of being sent later by surprise.
      mutations: { networkMode: 'always' },
    },
  });
  return queries;
}
