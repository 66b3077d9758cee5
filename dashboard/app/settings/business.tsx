import { useState } from 'preact/hooks';
import { useAt, useMay } from '../api/at.ts';
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

function IdentityForm({ merchant: { legal_identity: before } }: { readonly merchant: Schemas['Merchant'] }) {
  const mayChange = useMay('manage_identity');
  const [name, setName] = useState(before.name ?? '');
  const [address, setAddress] = useState(before.address_lines.join('\n'));
  const [vatId, setVatId] = useState(before.vat_id ?? '');
  const [note, setNote] = useState(before.vat_note ?? '');
  const update = useChange('updateMerchant');
  const lines = linesOf(address);
  const tooLong = lines.length > MAX_ADDRESS_LINES;
  const save = (event: Event) => {
    event.preventDefault();
    const identity = {
      name: name.trim() || null,
      address_lines: lines,
      vat_id: vatId.trim() || null,
      vat_note: note.trim() || null,
    };
    update.mutate({ body: { legal_identity: identity } });
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
        value={name}
        onValue={setName}
      />
      <LinesField
        {...common}
        label={words.business.address}
        at="legal_identity.address_lines"
        hint={words.business.addressHint}
        error={tooLong ? words.business.addressTooLong : null}
        rows={4}
        value={address}
        onValue={setAddress}
      />
      <TextField
        {...common}
        label={words.business.vatId}
        at="legal_identity.vat_id"
        maxLength={40}
        value={vatId}
        onValue={setVatId}
      />
      <LinesField
        {...common}
        label={words.business.vatNote}
        at="legal_identity.vat_note"
        hint={words.business.vatNoteHint}
        rows={2}
        maxLength={500}
        value={note}
        onValue={setNote}
      />
      <SaveBar of={update} allowed={mayChange} disabled={tooLong} />
    </Form>
  );
}
