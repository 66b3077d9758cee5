import { useState } from 'preact/hooks';
import { useAt } from '../api/at.ts';
import { useChange } from '../api/use.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../ui/field.tsx';
import { ProblemNote } from '../ui/problem.tsx';
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
  const send = (event: Event) => {
    event.preventDefault();
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
    <Dialog title={words.webhooks.add} onClose={onClose}>
      <form onSubmit={send}>
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
        <ProblemNote error={add.error} />
        <div class="dialog-actions">
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            busy={add.isPending}
            disabled={all === 'some' && types.size === 0}
          >
            {words.webhooks.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
