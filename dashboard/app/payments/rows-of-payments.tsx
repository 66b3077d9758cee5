/**
 * Lists of objects related to payments, such as refunds: filtered by status and period; each row opens its
 * payment.
 */
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { List } from '../ui/list-page.tsx';
import { StatusFilter } from '../ui/status-filter.tsx';
import type { Column } from '../ui/table.tsx';
import { money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { Period } from './period.tsx';

interface RowOfPayment {
  readonly id: string;
  readonly payment_id: string;
  readonly amount: number;
  readonly currency: string;
}

interface RowsOfPaymentsProps<Row> {
  readonly label: string;
  readonly query: Parameters<typeof List<Row>>[0]['query'];
  readonly statuses: Readonly<Record<string, string>>;
  /** Shown beside the amount. */
  readonly columns: readonly Column<Row>[];
  readonly empty: ComponentChildren;
}

export function RowsOfPayments<Row extends RowOfPayment>(props: RowsOfPaymentsProps<Row>) {
  return (
    <List<Row>
      label={props.label}
      query={props.query}
      keyOf={({ id }) => id}
      href={(row) => `/payments/${row.payment_id}`}
      filterNames={['status', 'from', 'to']}
      filters={
        <>
          <StatusFilter options={props.statuses} />
          <Period />
        </>
      }
      columns={[
        {
          title: words.common.amount,
          show: ({ payment_id: id, amount, currency }) => (
            <Link href={`/payments/${id}`} class="strong">
              {money(amount, currency)}
            </Link>
          ),
          numeric: true,
        },
        ...props.columns,
      ]}
      empty={props.empty}
    />
  );
}
