import { useState } from 'preact/hooks';
import { useAt } from '../api/at.ts';
import { useChange } from '../api/use.ts';
import { TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { words } from '../words/words.ts';
import { type Choice, ProductChoice } from './product-choice.tsx';

export function StorefrontForm({ onClose }: { readonly onClose: () => void }) {
  const { environment } = useAt();
  const [name, setName] = useState('');
  const [origins, setOrigins] = useState('https://');
  const [chosen, setChosen] = useState<readonly Choice[]>([]);
  const create = useChange('createStorefrontClient');
  const save = () => {
    const listed = origins.split(/[\s,]+/).filter((origin) => origin !== '');
    const body = { environment, name: name.trim(), origins: listed, product_ids: chosen.map(({ id }) => id) };
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
      <ProductChoice chosen={chosen} onChosen={setChosen} />
    </FormDialog>
  );
}
