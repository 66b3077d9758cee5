/** Where buyers reach the merchant; the hosted page links to it. */
import { useMay } from '../api/at.ts';
import { useForm } from '../api/changed.ts';
import type { Schemas } from '../api/description.ts';
import { useChange, useRead } from '../api/use.ts';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { SaveBar } from '../ui/save-bar.tsx';
import { words } from '../words/words.ts';

export function BuyerContact() {
  const { data, error } = useRead('showMerchantSettings');
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  return <ContactForm settings={data} />;
}

type Settings = Schemas['MerchantSettingsAnswer'];

function ContactForm({ settings }: { readonly settings: Settings }) {
  const mayChange = useMay('manage_identity');
  const update = useChange('updateMerchantSettings');
  const { field, changed: body, outcome } = useForm(settings, typedOf, fieldsOf);
  const save = (event: Event) => {
    event.preventDefault();
    update.mutate({ body }, outcome);
  };
  const common = { disabled: !mayChange };
  const texts = words.buyerContact;
  return (
    <Form error={update.error} onSubmit={save}>
      <p class="intro">{texts.intro}</p>
      <TextField {...common} type="email" label={texts.email} at="support_email" {...field('email')} />
      <TextField {...common} type="url" label={texts.url} at="support_url" {...field('url')} />
      <TextField {...common} type="tel" label={texts.phone} at="support_phone" {...field('phone')} />
      <SaveBar of={update} allowed={mayChange} disabled={false} label={texts.save} />
    </Form>
  );
}

function typedOf({ support_email: email, support_url: url, support_phone: phone }: Settings) {
  return { email: email ?? '', url: url ?? '', phone: phone ?? '' };
}

function fieldsOf({ email, url, phone }: ReturnType<typeof typedOf>) {
  return {
    support_email: email.trim() || null,
    support_url: url.trim() || null,
    support_phone: phone.trim() || null,
  };
}
