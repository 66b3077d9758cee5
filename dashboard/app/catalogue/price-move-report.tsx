/** The subscribers of a price move: counts, the new totals of some, and the reasons why others are not moved. */
import { Link } from 'wouter-preact';
import { type Environment, SEGMENT_OF, useAt } from '../api/at.ts';
import { BASE } from '../api/config.ts';
import type { Schemas } from '../api/description.ts';
import { dayOf, money } from '../words/format.ts';
import { words } from '../words/words.ts';

interface ReportProps {
  readonly of: Pick<Schemas['PriceMoveReportAnswer'], 'counts' | 'sample' | 'refusals' | 'currency'>;
  readonly environment: Environment;
}

export function PriceMoveReport({ of: { currency, counts, sample, refusals }, environment }: ReportProps) {
  const { reached, refused, example, examplePaused, codes } = words.products.moves;
  return (
    <>
      <p>{reached(counts.announced + counts.waiting)}</p>
      {sample.length > 0 && (
        <ul>
          {sample.map(({ subscription_id: id, customer, at, old_total, new_total }) => {
            const who = customer.email ?? customer.external_customer_id ?? customer.id;
            const totals = [money(old_total, currency), money(new_total, currency)] as const;
            return (
              <li key={id}>
                {at === null ? examplePaused(who, ...totals) : example(who, ...totals, dayOf(at))}
              </li>
            );
          })}
        </ul>
      )}
      {counts.refused > 0 && (
        <>
          <p>{refused(counts.refused)}</p>
          <ul>
            {refusals.map(({ subscription_id: id, code }) => (
              <li key={id}>
                <SubscriptionLink id={id} environment={environment} />: {codes[code]}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** Product pages serve both environments, so the link must name the subscription's environment. */
function SubscriptionLink({ id, environment }: { readonly id: string; readonly environment: Environment }) {
  const { merchantId } = useAt();
  return (
    <Link href={`~${BASE}/${merchantId}/${SEGMENT_OF[environment]}/subscriptions/${id}`} class="id-link">
      <code>{id}</code>
    </Link>
  );
}
