import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { Link, Redirect, Route, Router, Switch } from 'wouter-preact';
import { AtContext, BOTH, type Environment, SEGMENT_OF } from '../api/at.ts';
import { Problem } from '../api/client.ts';
import { useClient } from '../api/context.ts';
import type { Schemas } from '../api/description.ts';
import type { Session } from '../session/log-in.ts';
import { Empty, Loading, Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { setZone } from '../words/format.ts';
import { words } from '../words/words.ts';
import { lastEnvironment, rememberEnvironment } from './last-environment.ts';
import { Layout } from './layout.tsx';
import { PAGES, preloadPage, servesBoth } from './pages.tsx';

/** The query key of the permissions, after the merchant's id. */
export const ACCESS = 'access';

interface MerchantProps {
  readonly merchantId: string;
  /** The environment's segment of the path: `sandbox`, `live` or `both`. */
  readonly segment: string;
  readonly rest: string;
  readonly session: Session;
}

/**
 * Everything below `/<merchant>/<sandbox, live or both>`. Links need not name the right segment: an address
 * with another one, or with an environment's name in the API, redirects.
 */
export function Merchant(props: MerchantProps) {
  const { merchantId, segment, rest } = props;
  const isSegment = Object.values(SEGMENT_OF).includes(segment);
  const named = isSegment ? segment : (SEGMENT_OF[segment as Environment] ?? lastEnvironment());
  const belongs = servesBoth(rest) ? BOTH : named;
  if (segment !== belongs)
    return <Redirect to={`/${merchantId}/${belongs}/${rest}${location.search}`} replace />;
  return <MerchantAt {...props} />;
}

function MerchantAt({ merchantId, segment, rest, session }: MerchantProps) {
  const looked = segment === BOTH ? lastEnvironment() : segment;
  const environment: Environment = looked === 'live' ? 'production' : 'sandbox';
  const client = useClient();
  const { data: access, error } = useQuery({
    queryKey: [merchantId, ACCESS],
    queryFn: () => client.call('showAccess', { path: { merchantId } }),
    // Detects a revoked role while the page is open.
    refetchInterval: 30_000,
  });
  // Once a role is revoked, data and input stay on the page, but nothing can be changed.
  const refused = error instanceof Problem && error.status === 403 ? error : null;
  useEffect(() => {
    if (segment !== BOTH) rememberEnvironment(SEGMENT_OF[environment]);
  }, [segment, environment]);
  // Loads in parallel with the request for the permissions.
  useState(() => preloadPage(rest));
  if (!access) {
    return <main class="screen wide-screen">{error ? <ProblemNote error={error} /> : <Loading />}</main>;
  }
  setZone(access.time_zone);
  return (
    <AtContext.Provider value={{ merchantId, environment, access: refused ? withoutRights(access) : access }}>
      <Router base={`/${merchantId}/${segment}`} key={`${merchantId}/${segment}`}>
        <Layout session={session} current={rest.split('/')[0] ?? ''} both={segment === BOTH}>
          <ProblemNote error={refused} />
          <Switch>
            {PAGES.map(({ path, Show }) => (
              <Route key={path} path={path}>
                {(params) => (
                  <Show key={(params as { id?: string }).id} id={(params as { id?: string }).id ?? ''} />
                )}
              </Route>
            ))}
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Layout>
      </Router>
    </AtContext.Provider>
  );
}

function withoutRights(access: Schemas['AccessAnswer']): Schemas['AccessAnswer'] {
  return { ...access, permissions: [], refund_limit: 0 };
}

function NotFound() {
  return (
    <Page title={words.shell.notFound}>
      <Empty title={words.shell.notFoundText}>
        <Link href="/">{words.shell.toHome}</Link>
      </Empty>
    </Page>
  );
}
