/** Where buyers reach the merchant; the hosted page links to it. */
import { useState } from 'preact/hooks';
import { useMay } from '../api/at.ts';
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

function ContactForm({ settings }: { readonly settings: Schemas['MerchantSettingsAnswer'] }) {
  const mayChange = useMay('manage_identity');
  const [email, setEmail] = useState(settings.support_email ?? '');
  const [url, setUrl] = useState(settings.support_url ?? '');
  const [phone, setPhone] = useState(settings.support_phone ?? '');
  const update = useChange('updateMerchantSettings');
  const save = (event: Event) => {
    event.preventDefault();
    const body = {
      support_email: email.trim() || null,
      support_url: url.trim() || null,
      support_phone: phone.trim() || null,
    };
    update.mutate({ body });
  };
  const common = { disabled: !mayChange };
  const texts = words.buyerContact;
  return (
    <Form error={update.error} onSubmit={save}>
      <p class="intro">{texts.intro}</p>
      <TextField
        {...common}
        type="email"
        label={texts.email}
        at="support_email"
        value={email}
        onValue={setEmail}
      />
      <TextField {...common} type="url" label={texts.url} at="support_url" value={url} onValue={setUrl} />
      <TextField
        {...common}
        type="tel"
        label={texts.phone}
        at="support_phone"
        value={phone}
        onValue={setPhone}
      />
      <SaveBar of={update} allowed={mayChange} disabled={false} label={texts.save} />
    </Form>
  );
}
