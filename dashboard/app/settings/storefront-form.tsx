import { useState } from 'preact/hooks';
import { useAt } from '../api/at.ts';
import { useChange, useRead } from '../api/use.ts';
import { CheckField, TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { words } from '../words/words.ts';

export function StorefrontForm({ onClose }: { readonly onClose: () => void }) {
  const { environment } = useAt();
  const [name, setName] = useState('');
  const [origins, setOrigins] = useState('https://');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const products = useRead('listMerchantProducts');
  const create = useChange('createStorefrontClient');
  const toggle = (id: string) => (checked: boolean) =>
    setChosen((others) => (checked ? [...others, id] : others.filter((each) => each !== id)));
  const save = () => {
    const listed = origins.split(/[\s,]+/).filter((origin) => origin !== '');
    const body = { environment, name: name.trim(), origins: listed, product_ids: [...chosen] };
    create.mutate({ body }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={words.storefront.create}
      action={words.storefront.create}
      busy={create.isPending}
      error={create.error}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField label={words.common.name} required maxLength={100} value={name} onValue={setName} />
      <TextField
        label={words.storefront.origins}
        hint={words.storefront.originsHint}
        required
        value={origins}
        onValue={setOrigins}
      />
      <fieldset class="choices">
        <legend>{words.storefront.products}</legend>
        {products.data?.data
          .filter(({ status }) => status === 'active')
          .map(({ id, name: label }) => (
            <CheckField key={id} label={label} checked={chosen.includes(id)} onValue={toggle(id)} />
          ))}
      </fieldset>
    </FormDialog>
  );
}
