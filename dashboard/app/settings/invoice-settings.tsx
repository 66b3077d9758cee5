import { useState } from 'preact/hooks';
import { useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useChange, useRead } from '../api/use.ts';
import { CheckField, SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { SaveBar } from '../ui/save-bar.tsx';
import { words } from '../words/words.ts';

const HIGHEST_FIRST_NUMBER = 900_000_000;

/** Settings for how invoices are dated and numbered, and when a credit note is issued. */
export function InvoiceSettings() {
  const { data, error } = useRead('showMerchantSettings');
  return (
    <>
      <ProblemNote error={error} />
      {!data && !error && <Loading />}
      {data && <SettingsForm settings={data} />}
    </>
  );
}

function SettingsForm({ settings }: { readonly settings: Schemas['MerchantSettingsAnswer'] }) {
  const mayChange = useMay('manage_identity');
  const [timeZone, setTimeZone] = useState(settings.time_zone);
  const [prefix, setPrefix] = useState(settings.invoice_prefix);
  const [first, setFirst] = useState(`${settings.invoice_first_number}`);
  const [onLostDispute, setOnLostDispute] = useState(settings.credit_note_on_lost_dispute);
  const [onUncollectible, setOnUncollectible] = useState(settings.credit_note_on_uncollectible);
  const update = useChange('updateMerchantSettings');
  const firstNumber = /^\d{1,9}$/.test(first.trim()) ? Number(first) : 0;
  const isNumber = firstNumber >= 1 && firstNumber <= HIGHEST_FIRST_NUMBER;
  const save = (event: Event) => {
    event.preventDefault();
    const changes = {
      time_zone: timeZone,
      invoice_prefix: prefix.trim(),
      invoice_first_number: firstNumber,
      credit_note_on_lost_dispute: onLostDispute,
      credit_note_on_uncollectible: onUncollectible,
    };
    update.mutate({ body: changes });
  };
  const common = { disabled: !mayChange };
  const texts = words.invoiceSettings;
  return (
    <Form error={update.error} onSubmit={save}>
      <p class="intro">{texts.intro}</p>
      <SelectField
        {...common}
        label={texts.timeZone}
        at="time_zone"
        hint={texts.timeZoneHint}
        options={timeZones(settings.time_zone)}
        value={timeZone}
        onValue={setTimeZone}
      />
      <TextField
        {...common}
        label={texts.prefix}
        at="invoice_prefix"
        hint={texts.prefixHint}
        maxLength={20}
        value={prefix}
        onValue={setPrefix}
      />
      <TextField
        {...common}
        label={texts.first}
        at="invoice_first_number"
        hint={texts.firstHint}
        error={isNumber ? null : texts.firstInvalid}
        inputMode="numeric"
        value={first}
        onValue={setFirst}
      />
      <CheckField
        {...common}
        label={texts.onLostDispute}
        checked={onLostDispute}
        onValue={setOnLostDispute}
      />
      <CheckField
        {...common}
        label={texts.onUncollectible}
        checked={onUncollectible}
        onValue={setOnUncollectible}
      />
      <SaveBar label={texts.save} of={update} allowed={mayChange} disabled={!isNumber} />
    </Form>
  );
}

/** The browser's zones, UTC, and the stored one, which another browser may know by another name. */
function timeZones(stored: string): readonly (readonly [string, string])[] {
  const names = new Set(['UTC', stored, ...Intl.supportedValuesOf('timeZone')]);
  return [...names].sort().map((name) => [name, name.replaceAll('_', ' ')]);
}
