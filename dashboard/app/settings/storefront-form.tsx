import { useState } from 'preact/hooks';
import { useAt } from '../api/at.ts';
import { useChanged } from '../api/changed.ts';
import type { Schemas } from '../api/description.ts';
import { useChange, useKeyedChange, useRead } from '../api/use.ts';
import { type Choice, ProductChoice } from '../catalogue/product-choice.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { LinesField, linesOf, TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { words } from '../words/words.ts';

type Client = Schemas['StorefrontClient'];

interface EditProps {
  readonly client: Client;
  readonly onClose: () => void;
}

/** Loads the names of the client's products, then shows the form. */
export function EditStorefront({ client, onClose }: EditProps) {
  const query = { storefront_client_id: client.id, limit: 100 };
  const { data, error } = useRead('searchProducts', { query });
  if (data) {
    const nameOf = new Map(data.data.map(({ id, name }) => [id, name]));
    const chosen = client.product_ids.map((id) => ({ id, name: nameOf.get(id) ?? id }));
    return <StorefrontForm client={client} products={chosen} onClose={onClose} />;
  }
  return (
    <Dialog title={words.storefront.editTitle} onClose={onClose}>
      {error ? <ProblemNote error={error} /> : <Loading />}
    </Dialog>
  );
}

interface StorefrontFormProps {
  /** The client to edit; if absent, a new one is created. */
  readonly client?: Client;
  readonly products?: readonly Choice[];
  readonly onClose: () => void;
}

export function StorefrontForm({ client, products = [], onClose }: StorefrontFormProps) {
  const { environment } = useAt();
  const [name, setName] = useState(client?.name ?? '');
  const [origins, setOrigins] = useState(client?.origins.join('\n') ?? 'https://');
  const [successUrl, setSuccessUrl] = useState(client?.successUrl ?? '');
  const [failUrl, setFailUrl] = useState(client?.failUrl ?? '');
  const [chosen, setChosen] = useState(products);
  const { change: create, send } = useKeyedChange('createStorefrontClient');
  const update = useChange('updateStorefrontClient');
  const body = {
    name: name.trim(),
    origins: linesOf(origins),
    product_ids: chosen.map(({ id }) => id),
    successUrl: successUrl.trim() || null,
    failUrl: failUrl.trim() || null,
  };
  const [changed, onError] = useChanged(body);
  const save = () => {
    if (client)
      update.mutate({ path: { clientId: client.id }, body: changed }, { onSuccess: onClose, onError });
    else send({ body: { ...body, environment } }, onClose);
  };
  return (
    <FormDialog
      title={client ? words.storefront.editTitle : words.storefront.create}
      action={client ? words.common.save : words.storefront.create}
      busy={create.isPending || update.isPending}
      error={create.error ?? update.error}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={words.common.name}
        at="name"
        required
        maxLength={100}
        value={name}
        onValue={setName}
      />
      <LinesField
        label={words.storefront.origins}
        at="origins"
        hint={words.storefront.originsHint}
        rows={2}
        required
        value={origins}
        onValue={setOrigins}
      />
      <TextField
        label={words.storefront.successUrl}
        at="successUrl"
        hint={words.storefront.urlHint}
        type="url"
        maxLength={500}
        value={successUrl}
        onValue={setSuccessUrl}
      />
      <TextField
        label={words.storefront.failUrl}
        at="failUrl"
        hint={words.storefront.urlHint}
        type="url"
        maxLength={500}
        value={failUrl}
        onValue={setFailUrl}
      />
      <ProductChoice chosen={chosen} onChosen={setChosen} />
    </FormDialog>
  );
}
