import { useState } from 'preact/hooks';
import { useAt } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useChange } from '../api/use.ts';
import { startOfDay } from '../ui/days.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Secret } from '../ui/secret.tsx';
import { words } from '../words/words.ts';

type Scope = Schemas['ApiKey']['scope'];

const SCOPES: readonly Scope[] = ['all', 'read', 'catalogue'];

/** Creates a key for the current environment, which the dialog names to prevent live keys created by mistake. */
export function CreateKey({ onClose }: { readonly onClose: () => void }) {
  const { environment } = useAt();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('all');
  const [lastDay, setLastDay] = useState('');
  const create = useChange('createApiKey');
  if (create.data) {
    return (
      <Dialog title={words.keys.newTitle} onClose={onClose}>
        <Secret value={create.data.key} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={words.keys.createTitle[environment]}
      action={words.keys.createAction[environment]}
      busy={create.isPending}
      error={create.error}
      onSubmit={() =>
        create.mutate({ body: { environment, name: name.trim(), scope, expires_at: endOfDay(lastDay) } })
      }
      onClose={onClose}
    >
      <p class="note">{words.keys.createText[environment]}</p>
      <TextField
        label={words.common.name}
        at="name"
        hint={words.keys.nameHint}
        required
        pattern=".*\S.*"
        maxLength={100}
        value={name}
        onValue={setName}
      />
      <SelectField
        label={words.keys.scope}
        at="scope"
        hint={words.keys.scopeHints[scope]}
        value={scope}
        onValue={(value) => setScope(value as Scope)}
        options={SCOPES.map((each) => [each, words.keys.scopes[each]] as const)}
      />
      <TextField
        label={words.keys.lastDay}
        at="expires_at"
        hint={words.keys.lastDayHint}
        type="date"
        value={lastDay}
        onValue={setLastDay}
      />
    </FormDialog>
  );
}

/** @param day from an input of type `date`; empty: never */
function endOfDay(day: string): string | undefined {
  const next = startOfDay(day, 1);
  return next ? new Date(Date.parse(next) - 1_000).toISOString() : undefined;
}
