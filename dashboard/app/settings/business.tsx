import { useAt, useMay } from '../api/at.ts';
import { useForm } from '../api/changed.ts';
import type { Schemas } from '../api/description.ts';
import { useChange, useRead } from '../api/use.ts';
import { LinesField, linesOf, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Card, Loading, Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { SaveBar } from '../ui/save-bar.tsx';
import { words } from '../words/words.ts';
import { Announcements } from './announcements.tsx';
import { BuyerContact } from './buyer-contact.tsx';
import { InvoiceSettings } from './invoice-settings.tsx';
import { AfterCancellation, AfterDispute, Operated } from './merchant-switches.tsx';
import { SupportRefunds } from './support-refunds.tsx';

const MAX_ADDRESS_LINES = 6;

/** A merchant's legal details and rarely changed settings. */
export function Business() {
  const { data, error } = useRead('showMerchant');
  const { subscriptions } = useAt().access;
  const mayOperate = useMay('operate');
  const maySetLimit = useMay('set_refund_limit');
  return (
    <Page title={words.shell.pages.business}>
      <ProblemNote error={error} />
      {!data && !error && <Loading />}
      {data && (
        <div class="columns">
          <div>
            <Card title={words.business.identity}>
              <IdentityForm merchant={data} />
            </Card>
            <Card title={words.invoiceSettings.title}>
              <InvoiceSettings />
            </Card>
          </div>
          <div>
            <Card title={words.buyerContact.title}>
              <BuyerContact />
            </Card>
            {subscriptions && (
              <Card title={words.announcements.title}>
                <Announcements />
              </Card>
            )}
            {subscriptions && (
              <Card title={words.business.cancellations}>
                <AfterCancellation />
              </Card>
            )}
            <Card title={words.business.disputes}>
              <AfterDispute merchant={data} />
            </Card>
            {maySetLimit && (
              <Card title={words.business.supportRefunds}>
                <SupportRefunds />
              </Card>
            )}
            {mayOperate && (
              <Card title={words.business.operated}>
                <Operated merchant={data} />
              </Card>
            )}
          </div>
        </div>
      )}
    </Page>
  );
}

type Merchant = Schemas['Merchant'];

function IdentityForm({ merchant }: { readonly merchant: Merchant }) {
  const mayChange = useMay('manage_identity');
  const update = useChange('updateMerchant');
  const { typed, field, changed: identity, outcome } = useForm(merchant, typedOf, fieldsOf);
  const tooLong = linesOf(typed.address).length > MAX_ADDRESS_LINES;
  const save = (event: Event) => {
    event.preventDefault();
    update.mutate({ body: { legal_identity: identity } }, outcome);
  };
  const common = { disabled: !mayChange };
  return (
    <Form error={update.error} onSubmit={save}>
      <p class="intro">{words.business.intro}</p>
      <TextField
        {...common}
        label={words.business.name}
        at="legal_identity.name"
        maxLength={200}
        {...field('name')}
      />
      <LinesField
        {...common}
        label={words.business.address}
        at="legal_identity.address_lines"
        hint={words.business.addressHint}
        error={tooLong ? words.business.addressTooLong : null}
        rows={4}
        {...field('address')}
      />
      <TextField
        {...common}
        label={words.business.vatId}
        at="legal_identity.vat_id"
        maxLength={40}
        {...field('vatId')}
      />
      <LinesField
        {...common}
        label={words.business.vatNote}
        at="legal_identity.vat_note"
        hint={words.business.vatNoteHint}
        rows={2}
        maxLength={500}
        {...field('note')}
      />
      <SaveBar of={update} allowed={mayChange} disabled={tooLong} />
    </Form>
  );
}

function typedOf({
  legal_identity: { name, address_lines: lines, vat_id: vatId, vat_note: note },
}: Merchant) {
  return { name: name ?? '', address: lines.join('\n'), vatId: vatId ?? '', note: note ?? '' };
}

function fieldsOf({ name, address, vatId, note }: ReturnType<typeof typedOf>) {
  return {
    name: name.trim() || null,
    address_lines: linesOf(address),
    vat_id: vatId.trim() || null,
    vat_note: note.trim() || null,
  };
}
