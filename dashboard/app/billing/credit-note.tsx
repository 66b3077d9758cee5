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
import { dateOf, money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { Lines, SoldTo, SumsByRate } from './invoice.tsx';

export function CreditNote({ id }: PageProps) {
  const { environment } = useAt();
  const { data, error } = useRead('searchCreditNotes', { query: { environment, q: id } });
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  const note = data.data.find((each) => each.id === id);
  if (!note) return <ProblemNote error={notHere('credit_note')} />;
  return (
    <Page
      title={`${words.payments.creditNote} ${note.number}`}
      actions={
        <PdfLink class="button primary" href={note.pdf_url}>
          {words.invoices.openPdf}
        </PdfLink>
      }
    >
      <p class="subtitle">
        <span>{words.creditNotes.reasons[note.reason]}</span>
        <span>{money(note.amount, note.currency)}</span>
        <span>{dateOf(note.issued_on)}</span>
      </p>
      <Lines of={note} />
      <div class="columns">
        <SumsByRate of={note} />
        <Card title={words.payments.details}>
          <CreditNoteFacts note={note} />
        </Card>
      </div>
    </Page>
  );
}

function CreditNoteFacts({ note }: { readonly note: Schemas['CreditNote'] }) {
  return (
    <Facts>
      <Fact name={words.common.id}>
        <Copy value={note.id} />
      </Fact>
      <Fact name={words.creditNotes.corrects}>
        <Link href={`/invoices/${note.invoice_id}`}>{note.invoice_number}</Link>
      </Fact>
      <Fact name={words.invoices.total}>{money(note.amount, note.currency)}</Fact>
      <Fact name={words.creditNotes.reason}>{words.creditNotes.reasons[note.reason]}</Fact>
      {note.payment_id && (
        <Fact name={words.operations.subjects.payment}>
          <IdLink to="payments" id={note.payment_id} />
        </Fact>
      )}
      {note.refund_id && (
        <Fact name={words.operations.subjects.refund}>
          <Copy value={note.refund_id} />
        </Fact>
      )}
      <SoldTo of={note} />
    </Facts>
  );
}
