import { Link } from 'wouter-preact';
import type { Schemas } from '../api/description.ts';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { customerText, methodText, PaymentStatus } from './status.tsx';

type Payment = Schemas['FoundPayment'];

export const paymentColumns = (): readonly Column<Payment>[] => [
  {
    title: words.common.amount,
    show: ({ id, amount, currency }) => (
      <Link href={`/payments/${id}`} class="strong">
        {money(amount, currency)}
      </Link>
    ),
    numeric: true,
  },
  { title: words.common.status, show: (row) => <PaymentStatus of={row} /> },
  {
    title: words.payments.description,
    show: ({ description }) => description ?? words.common.none,
    wide: true,
  },
  { title: words.payments.customer, show: ({ customer }) => customerText(customer) },
  { title: words.payments.method, show: (row) => methodText(row.payment_method), wide: true },
  { title: words.payments.when, show: (row) => <Time at={row.created_at} /> },
];
