import { useState } from 'preact/hooks';
import { useChanged } from '../api/changed.ts';
import type { Schemas } from '../api/description.ts';
import { useChange, useKeyedChange } from '../api/use.ts';
import { CheckField, LinesField, TextField } from '../ui/field.tsx';
import type { Paths } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { words } from '../words/words.ts';

interface ProductFormProps {
  /** The product to edit; if absent, a new one is created. */
  readonly product?: Schemas['Product'];
  readonly onClose: () => void;
  readonly onSaved: (product: { readonly id: string }) => void;
}

export function ProductForm({ product, onClose, onSaved }: ProductFormProps) {
  const [name, setName] = useState(product?.name ?? '');
  const [description, setDescription] = useState(product?.description ?? '');
  const [reference, setReference] = useState(product?.external_reference ?? '');
  const [least, setLeast] = useState(String(product?.quantity?.min ?? 1));
  const [most, setMost] = useState(String(product?.quantity?.max ?? 1));
  const [cycles, setCycles] = useState(String(product?.billing_cycles ?? ''));
  const [oneSubscription, setOneSubscription] = useState(product?.one_subscription_per_customer ?? false);
  const [oneTrial, setOneTrial] = useState(product?.one_trial_per_customer ?? false);
  const [imageUrl, setImageUrl] = useState(product?.image_url ?? '');
  const { change: create, send } = useKeyedChange('createProduct');
  const update = useChange('updateProduct');
  const body = {
    name: name.trim(),
    description: description.trim() || null,
    external_reference: reference.trim() || null,
    quantity: most === '1' ? null : { min: Number(least), max: Number(most) },
    billing_cycles: cycles === '' ? null : Number(cycles),
    one_subscription_per_customer: oneSubscription,
    one_trial_per_customer: oneTrial,
    image_url: imageUrl.trim() || null,
  };
  const [changed, onError] = useChanged(body);
  const save = () => {
    if (product)
      update.mutate({ path: { productId: product.id }, body: changed }, { onSuccess: onSaved, onError });
    else send({ body }, onSaved);
  };
  return (
    <FormDialog
      title={product ? words.products.edit : words.products.create}
      action={words.common.save}
      busy={create.isPending || update.isPending}
      error={create.error ?? update.error}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={words.products.name}
        at="name"
        required
        maxLength={200}
        value={name}
        onValue={setName}
      />
      <LinesField
        label={words.products.description}
        at="description"
        rows={3}
        maxLength={2_000}
        value={description}
        onValue={setDescription}
      />
      <TextField
        label={words.products.reference}
        at="external_reference"
        maxLength={200}
        value={reference}
        onValue={setReference}
      />
      <QuantityField
        label={words.products.least}
        at="quantity.min"
        max={most}
        value={least}
        onValue={setLeast}
      />
      <QuantityField
        label={words.products.most}
        at={['quantity.max', 'quantity']}
        hint={words.products.mostHint}
        max="10000"
        value={most}
        onValue={setMost}
      />
      <TextField
        label={words.products.cycles}
        at="billing_cycles"
        hint={words.products.cyclesHint}
        type="number"
        inputMode="numeric"
        min="1"
        max="1000"
        step="1"
        value={cycles}
        onValue={setCycles}
      />
      <CheckField
        label={words.products.oneSubscription}
        checked={oneSubscription}
        onValue={setOneSubscription}
      />
      <CheckField label={words.products.oneTrial} checked={oneTrial} onValue={setOneTrial} />
      <TextField
        label={words.products.image}
        at="image_url"
        hint={words.products.imageHint}
        type="url"
        maxLength={500}
        value={imageUrl}
        onValue={setImageUrl}
      />
    </FormDialog>
  );
}

interface QuantityProps {
  readonly label: string;
  readonly at: Paths;
  readonly hint?: string;
  readonly max: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function QuantityField(props: QuantityProps) {
  return <TextField {...props} type="number" inputMode="numeric" required min="1" step="1" />;
}
