import { Link } from 'wouter-preact';
import { useAt } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Copy } from '../ui/copy.tsx';
import { IdLink } from '../ui/id-link.tsx';
import { Card, Fact, Facts, Loading, Page } from '../ui/page.tsx';
import type { PageProps } from '../ui/page-props.ts';
import { PdfLink } from '../ui/pdf-link.tsx';
import { notHere, ProblemNote } from '../ui/problem.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { dateOf, money, percent } from '../words/format.ts';
import { words } from '../words/words.ts';
import { CreditNotesOf } from './credit-notes.tsx';
import { numberOf } from './invoice-number.ts';
import { InvoiceStatus, totalOf } from './invoices.tsx';

type Details = Schemas['FoundInvoice'];

export function Invoice({ id }: PageProps) {
  const { environment } = useAt();
  const { data, error } = useRead('searchInvoices', { query: { environment, q: id } }, { live: true });
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  const invoice = data.data.find((each) => each.id === id);
  if (!invoice) return <ProblemNote error={notHere('invoice')} />;
  const total = money(totalOf(invoice), invoice.currency);
  return (
    <Page
      title={invoice.number ? words.invoices.title(invoice.number) : numberOf(invoice)}
      actions={
        invoice.pdf_url && (
          <PdfLink class="button primary" href={invoice.pdf_url}>
            {words.invoices.openPdf}
          </PdfLink>
        )
      }
    >
      <p class="subtitle">
        <InvoiceStatus status={invoice.status} />
        <span>{total}</span>
        {invoice.issued_on && <span>{dateOf(invoice.issued_on)}</span>}
      </p>
      <ProblemNote error={error} />
      <Lines of={invoice} />
      <div class="columns">
        <div>
          <SumsByRate of={invoice} />
          {invoice.credited_amount > 0 && <CreditNotesOf invoiceId={id} />}
        </div>
        <Card title={words.payments.details}>
          <InvoiceFacts invoice={invoice} total={total} />
        </Card>
      </div>
    </Page>
  );
}

interface OfDocument {
  readonly of: Pick<Details, 'line_items' | 'currency'>;
}

export function Lines({ of: { line_items: lines, currency } }: OfDocument) {
  return (
    <Card title={words.invoices.lines}>
      <Table
        label={words.invoices.lines}
        rows={[...lines]}
        keyOf={(line) => `${line.price_id} ${line.description} ${line.amount}`}
        columns={[
          { title: words.products.description, show: ({ description }) => description },
          { title: words.invoices.quantity, show: ({ quantity }) => quantity, numeric: true, wide: true },
          ...taxColumns(currency),
        ]}
      />
    </Card>
  );
}

export function SumsByRate({ of: { line_items: lines, currency } }: OfDocument) {
  return (
    <Card title={words.taxes.title}>
      <Table
        label={words.taxes.title}
        rows={sumsByRate(lines)}
        keyOf={(sum) => String(sum.tax_rate)}
        columns={taxColumns(currency)}
      />
    </Card>
  );
}

type Taxed = Pick<Details['line_items'][number], 'tax_rate' | 'tax_amount' | 'amount'>;

const taxColumns = (currency: string): readonly Column<Taxed>[] => [
  { title: words.taxes.rate, show: (row) => percent(row.tax_rate / 100), numeric: true },
  { title: words.taxes.net, show: (row) => money(row.amount - row.tax_amount, currency), numeric: true },
  { title: words.taxes.tax, show: (row) => money(row.tax_amount, currency), numeric: true },
  { title: words.taxes.gross, show: ({ amount }) => money(amount, currency), numeric: true },
];

function sumsByRate(lines: readonly Taxed[]): Taxed[] {
  const sums = new Map<number, Taxed>();
  for (const { tax_rate, tax_amount, amount } of lines) {
    const sum = sums.get(tax_rate) ?? { tax_rate, tax_amount: 0, amount: 0 };
    sums.set(tax_rate, { tax_rate, tax_amount: sum.tax_amount + tax_amount, amount: sum.amount + amount });
  }
  return [...sums.values()];
}

function InvoiceFacts({ invoice, total }: { readonly invoice: Details; readonly total: string }) {
  return (
    <Facts>
      <Fact name={words.common.id}>
        <Copy value={invoice.id} />
      </Fact>
      <Fact name={words.invoices.total}>{total}</Fact>
      <Fact name={words.invoices.due}>{money(invoice.amount_due, invoice.currency)}</Fact>
      {invoice.credited_amount > 0 && (
        <Fact name={words.invoices.credited}>{money(invoice.credited_amount, invoice.currency)}</Fact>
      )}
      {invoice.refunded_amount !== invoice.credited_amount && (
        <Fact name={words.payments.refunded}>{money(invoice.refunded_amount, invoice.currency)}</Fact>
      )}
      <SoldTo of={invoice} />
      {invoice.reverses_credit_note_id ? (
        <Fact name={words.invoices.reverses}>
          <IdLink to="invoices/credit-notes" id={invoice.reverses_credit_note_id} />
        </Fact>
      ) : (
        <Fact name={words.shell.pages.payments}>
          <Link href={`/payments?q=${invoice.id}`}>{words.invoices.itsPayments}</Link>
        </Fact>
      )}
    </Facts>
  );
}

interface SoldToProps {
  readonly of: Pick<Details, 'customer' | 'customer_id' | 'subscription_id' | 'order_id'>;
}

/** The customer as printed on the document, and what it is for. */
export function SoldTo({ of: { customer, customer_id, subscription_id, order_id } }: SoldToProps) {
  const address = Object.values(customer.billing_details ?? {}).filter(Boolean);
  return (
    <>
      <Fact name={words.invoices.billedTo}>
        <Link href={`/customers/${customer_id}`}>{customer.email ?? customer.name ?? customer.id}</Link>
        {address.length > 0 && <p class="muted">{address.join(', ')}</p>}
      </Fact>
      {subscription_id && (
        <Fact name={words.payments.subscription}>
          <IdLink to="subscriptions" id={subscription_id} />
        </Fact>
      )}
      {order_id && (
        <Fact name={words.payments.order}>
          <Copy value={order_id} />
        </Fact>
      )}
    </>
  );
}
