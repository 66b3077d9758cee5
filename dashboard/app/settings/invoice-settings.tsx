import { useMay } from '../api/at.ts';
import { useForm } from '../api/changed.ts';
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

type Settings = Schemas['MerchantSettingsAnswer'];

function SettingsForm({ settings }: { readonly settings: Settings }) {
  const mayChange = useMay('manage_identity');
  const update = useChange('updateMerchantSettings');
  const { typed, field, changed: body, outcome } = useForm(settings, typedOf, fieldsOf);
  const first = firstOf(typed);
  const isNumber = first >= 1 && first <= HIGHEST_FIRST_NUMBER;
  const save = (event: Event) => {
    event.preventDefault();
    update.mutate({ body }, outcome);
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
        {...field('timeZone')}
      />
      <TextField
        {...common}
        label={texts.prefix}
        at="invoice_prefix"
        hint={texts.prefixHint}
        maxLength={20}
        {...field('prefix')}
      />
      <TextField
        {...common}
        label={texts.first}
        at="invoice_first_number"
        hint={texts.firstHint}
        error={isNumber ? null : texts.firstInvalid}
        inputMode="numeric"
        {...field('first')}
      />
      <CheckField
        {...common}
        label={texts.onLostDispute}
        checked={typed.onLostDispute}
        onValue={field('onLostDispute').onValue}
      />
      <CheckField
        {...common}
        label={texts.onUncollectible}
        checked={typed.onUncollectible}
        onValue={field('onUncollectible').onValue}
      />
      <SaveBar label={texts.save} of={update} allowed={mayChange} disabled={!isNumber} />
    </Form>
  );
}

function typedOf(settings: Settings) {
  return {
    timeZone: settings.time_zone,
    prefix: settings.invoice_prefix,
    first: `${settings.invoice_first_number}`,
    onLostDispute: settings.credit_note_on_lost_dispute,
    onUncollectible: settings.credit_note_on_uncollectible,
  };
}

type Typed = ReturnType<typeof typedOf>;

function fieldsOf(typed: Typed) {
  return {
    time_zone: typed.timeZone,
    invoice_prefix: typed.prefix.trim(),
    invoice_first_number: firstOf(typed),
    credit_note_on_lost_dispute: typed.onLostDispute,
    credit_note_on_uncollectible: typed.onUncollectible,
  };
}

/** 0 if it is not a number. */
const firstOf = ({ first }: Typed) => (/^\d{1,9}$/.test(first.trim()) ? Number(first) : 0);

/** The browser's zones, UTC, and the stored one, which another browser may know by another name. */
function timeZones(stored: string): readonly (readonly [string, string])[] {
  const names = new Set(['UTC', stored, ...Intl.supportedValuesOf('timeZone')]);
  return [...names].sort().map((name) => [name, name.replaceAll('_', ' ')]);
}
