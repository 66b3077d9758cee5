import { useState } from 'preact/hooks';
import { useAt } from '../api/at.ts';
import { useChange } from '../api/use.ts';
import { Dialog } from '../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Secret } from '../ui/secret.tsx';
import { words } from '../words/words.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';

export function AddEndpoint({ onClose }: { readonly onClose: () => void }) {
  const { environment } = useAt();
  const [url, setUrl] = useState('https://');
  const [all, setAll] = useState('all');
  const [types, setTypes] = useState<ReadonlySet<EventType>>(new Set());
  const add = useChange('createWebhookEndpoint');
  const toggle = (type: EventType) => (checked: boolean) => {
    const others = [...types].filter((each) => each !== type);
    setTypes(new Set(checked ? [...others, type] : others));
  };
  const send = () => {
    const chosen = EVENT_TYPES.filter((type) => types.has(type));
    add.mutate({ body: { environment, url, event_types: all === 'all' ? null : chosen } });
  };
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
      disabled={all === 'some' && types.size === 0}
      busy={add.isPending}
      error={add.error}
      onSubmit={send}
      onClose={onClose}
    >
      <TextField
        label={words.webhooks.url}
        hint={words.webhooks.urlHint}
        type="url"
        required
        value={url}
        onValue={setUrl}
      />
      <SelectField
        label={words.webhooks.types}
        value={all}
        onValue={setAll}
        options={[
          ['all', words.webhooks.allTypes],
          ['some', words.webhooks.chosenTypes],
        ]}
      />
      {all === 'some' &&
        EVENT_TYPES.map((type) => (
          <CheckField key={type} label={type} checked={types.has(type)} onValue={toggle(type)} />
        ))}
    </FormDialog>
  );
}
