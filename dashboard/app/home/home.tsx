import { Link } from 'wouter-preact';
import { useAt } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { paymentColumns } from '../payments/columns.tsx';
import { declineReason } from '../payments/status.tsx';
import { Card, Empty, Loading, Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { Table } from '../ui/table.tsx';
import { count, money, percent } from '../words/format.ts';
import { words } from '../words/words.ts';
import { Attention } from './attention.tsx';
import { SalesChart } from './sales-chart.tsx';

type Overview = Schemas['OverviewAnswer'];

export function Home() {
  const { environment } = useAt();
  const numbers = useRead('showOverview', { query: { environment } }, { live: 'slowly' });
  const latest = useRead('searchPayments', { query: { environment, limit: 5 } }, { live: true });
  return (
    <Page title={words.shell.pages.home}>
      <ProblemNote error={numbers.error} />
      {!numbers.data && !numbers.error && <Loading />}
      {numbers.data && <Numbers overview={numbers.data} />}
      <Card title={words.home.recent} actions={<Link href="/payments">{words.home.all}</Link>}>
        {latest.data && latest.data.data.length > 0 && (
          <Table
            label={words.home.recent}
            columns={paymentColumns()}
            rows={latest.data.data}
            href={({ id }) => `/payments/${id}`}
            keyOf={({ id }) => id}
          />
        )}
        {latest.data?.data.length === 0 && (
          <Empty title={words.home.firstSteps}>
            <p>{words.home.firstStepsText}</p>
          </Empty>
        )}
      </Card>
    </Page>
  );
}

function Numbers({ overview }: { readonly overview: Overview }) {
  const {
    currency,
    time_zone: zone,
    today,
    last_30_days: month,
    previous_30_days: before,
    checkouts,
    subscriptions,
  } = overview;
  const { access } = useAt();
  const change = before.amount > 0 ? month.amount / before.amount - 1 : null;
  return (
    <>
      <Attention attention={overview.attention} />
      <div class="tiles">
        <Tile
          title={words.home.today}
          value={money(today.amount, currency)}
          note={[words.home.sales(today.count), zone.replaceAll('_', ' ')]}
        />
        <Tile
          title={words.home.last30}
          value={money(month.amount, currency)}
          note={[
            words.home.sales(month.count),
            change !== null && words.home.against(`${change >= 0 ? '+' : ''}${percent(change)}`),
            month.refunded > 0 && words.home.refunded(money(month.refunded, currency)),
          ]}
        />
        <Tile
          title={words.home.conversion}
          value={checkouts.created > 0 ? percent(checkouts.paid / checkouts.created) : words.common.none}
          note={words.home.conversionText(checkouts.paid, checkouts.created)}
        />
        {access.subscriptions && (
          <>
            <Tile
              title={words.home.recurring}
              value={money(subscriptions.monthly_amount, currency)}
              note={[
                words.home.includingTax,
                words.home.subscriptions(subscriptions.active),
                subscriptions.trialing > 0 && words.home.trialing(subscriptions.trialing),
              ]}
            />
            <Tile
              title={words.home.pastDue}
              value={count(subscriptions.past_due)}
              href="/subscriptions?status=past_due"
              note={words.home.pastDueText}
            />
          </>
        )}
      </div>
      <div class="columns">
        <Card title={words.home.chart}>
          <SalesChart days={overview.days} currency={currency} />
        </Card>
        <Card title={words.home.declines}>
          <Declines declines={overview.declines} />
        </Card>
      </div>
    </>
  );
}

interface TileProps {
  readonly title: string;
  readonly value: string;
  /** Link to the counted list. */
  readonly href?: string;
  readonly note: string | readonly (string | false)[];
}

function Tile({ title, value, href, note }: TileProps) {
  return (
    <section class="tile">
      <h2>{title}</h2>
      <p class="tile-value">{href ? <Link href={href}>{value}</Link> : value}</p>
      {[note].flat().map((each) => each && <p key={each}>{each}</p>)}
    </section>
  );
}

function Declines({ declines }: Pick<Overview, 'declines'>) {
  if (declines.length === 0) return <p class="muted">{words.home.noDeclines}</p>;
  const most = Math.max(...declines.map((each) => each.count));
  return (
    <ul class="bars">
      {declines.map(({ failure_code: code, count: times }) => (
        <li key={code}>
          <span>{declineReason(code)}</span>
          <strong>{count(times)}</strong>
          <meter min={0} max={most} value={times} aria-label={declineReason(code)} />
        </li>
      ))}
    </ul>
  );
}
