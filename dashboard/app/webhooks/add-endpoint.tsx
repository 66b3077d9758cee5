import { useState } from 'preact/hooks';
import { useAt } from '../api/at.ts';
import { useKeyedChange } from '../api/use.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Secret } from '../ui/secret.tsx';
import { words } from '../words/words.ts';
import { type EndpointFields, EndpointForm, endpointBody, wantsNothing } from './endpoint-fields.tsx';

export function AddEndpoint({ onClose }: { readonly onClose: () => void }) {
  const { environment } = useAt();
  const [fields, setFields] = useState<EndpointFields>({
    url: 'https://',
    all: true,
    types: new Set(),
    standardHeaders: false,
  });
  const { change: add, send } = useKeyedChange('createWebhookEndpoint');
  const submit = () => send({ body: { environment, ...endpointBody(fields) } });
  if (add.data) {
    return (
      <Dialog title={words.webhooks.secret} onClose={onClose}>
        <Secret value={add.data.secret} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={words.webhooks.add}
      action={words.webhooks.add}
      disabled={wantsNothing(fields)}
      busy={add.isPending}
      error={add.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <EndpointForm of={fields} onChange={setFields} />
    </FormDialog>
  );
}
