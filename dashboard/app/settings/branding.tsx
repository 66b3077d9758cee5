import { useRef } from 'preact/hooks';
import { useMay } from '../api/at.ts';
import { useForm } from '../api/changed.ts';
import type { Schemas } from '../api/description.ts';
import { useChange, useRead } from '../api/use.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Card, Loading, Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { SaveBar } from '../ui/save-bar.tsx';
import { words } from '../words/words.ts';
import { Preview } from './preview.tsx';

const COLOR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;
const isColor = (text: string) => text === '' || COLOR.test(text);
const isLogo = (text: string) => text === '' || (text.startsWith('https://') && URL.canParse(text));

export function Branding() {
  const { data, error } = useRead('showMerchant');
  return (
    <Page title={words.shell.pages.branding}>
      <p class="intro">{words.branding.intro}</p>
      <ProblemNote error={error} />
      {!data && !error && <Loading />}
      {data && <BrandingForm merchant={data} />}
    </Page>
  );
}

type Merchant = Schemas['MerchantAnswer'];

function BrandingForm({ merchant }: { readonly merchant: Merchant }) {
  const mayChange = useMay('manage_branding');
  const mayRename = useMay('manage_identity');
  const { typed, field, changed, outcome } = useForm(merchant, typedOf, fieldsOf);
  const { name, logo, color, language } = typed;
  const update = useChange('updateMerchant');
  const shownLogo = useLast(logo.trim(), isLogo);
  const shownColor = useLast(color, isColor);
  const colorError = isColor(color) ? null : words.branding.colorInvalid;
  const save = (event: Event) => {
    event.preventDefault();
    if (colorError) return;
    const { name: newName, ...branding } = changed;
    const body = { ...(mayChange && { branding }), ...(newName !== undefined && { name: newName }) };
    update.mutate({ body }, outcome);
  };
  return (
    <div class="columns">
      <Card>
        <Form error={update.error} onSubmit={save}>
          <TextField
            label={words.branding.merchantName}
            at="name"
            required
            maxLength={160}
            disabled={!mayRename}
            {...field('name')}
          />
          <TextField
            label={words.branding.logo}
            at="branding.logo_url"
            hint={words.branding.logoHint}
            type="url"
            disabled={!mayChange}
            {...field('logo')}
          />
          <TextField
            label={words.branding.color}
            at="branding.color"
            hint={words.branding.colorHint}
            error={colorError}
            disabled={!mayChange}
            placeholder="#0f766e"
            {...field('color')}
          />
          <SelectField
            label={words.branding.language}
            at="branding.language"
            disabled={!mayChange}
            {...field('language')}
            options={Object.entries(words.branding.languages)}
          />
          <SaveBar of={update} allowed={mayChange || mayRename} disabled={colorError !== null} />
        </Form>
      </Card>
      <Card title={words.branding.preview}>
        <Preview name={name.trim()} logo_url={shownLogo} color={shownColor} language={language} />
      </Card>
    </div>
  );
}

function typedOf({ name, branding }: Merchant) {
  const { logo_url: logo, color, language } = branding;
  return { name, logo: logo ?? '', color: color ?? '', language: language ?? '' };
}

function fieldsOf({ name, logo, color, language }: ReturnType<typeof typedOf>) {
  return {
    name: name.trim(),
    logo_url: logo.trim() || null,
    color: color || null,
    language: language || null,
  };
}

/** The last valid input, so that the previous colour is shown while a new one is being typed. */
function useLast(value: string, isWhole: (value: string) => boolean): string {
  const last = useRef('');
  if (isWhole(value)) last.current = value;
  return last.current;
}
