import { useRef, useState } from 'preact/hooks';
import { useMay } from '../api/at.ts';
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

function BrandingForm({ merchant }: { readonly merchant: Schemas['MerchantAnswer'] }) {
  const mayChange = useMay('manage_branding');
  const mayRename = useMay('manage_identity');
  const [name, setName] = useState(merchant.name);
  const [logo, setLogo] = useState(merchant.branding.logo_url ?? '');
  const [color, setColor] = useState(merchant.branding.color ?? '');
  const [language, setLanguage] = useState(merchant.branding.language ?? '');
  const update = useChange('updateMerchant');
  const shownLogo = useLast(logo.trim(), isLogo);
  const shownColor = useLast(color, isColor);
  const colorError = isColor(color) ? null : words.branding.colorInvalid;
  const save = (event: Event) => {
    event.preventDefault();
    if (colorError) return;
    const branding = { logo_url: logo.trim() || null, color: color || null, language: language || null };
    const renamed = name.trim() === merchant.name ? {} : { name: name.trim() };
    update.mutate({ body: { ...(mayChange && { branding }), ...renamed } });
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
            value={name}
            onValue={setName}
          />
          <TextField
            label={words.branding.logo}
            at="branding.logo_url"
            hint={words.branding.logoHint}
            type="url"
            disabled={!mayChange}
            value={logo}
            onValue={setLogo}
          />
          <TextField
            label={words.branding.color}
            at="branding.color"
            hint={words.branding.colorHint}
            error={colorError}
            disabled={!mayChange}
            placeholder="#0f766e"
            value={color}
            onValue={setColor}
          />
          <SelectField
            label={words.branding.language}
            at="branding.language"
            disabled={!mayChange}
            value={language}
            onValue={setLanguage}
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

/** The last valid input, so that the previous colour is shown while a new one is being typed. */
function useLast(value: string, isWhole: (value: string) => boolean): string {
  const last = useRef('');
  if (isWhole(value)) last.current = value;
  return last.current;
}
