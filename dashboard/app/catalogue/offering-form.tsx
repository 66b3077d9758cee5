import { useState } from 'preact/hooks';
import type { Schemas } from '../api/description.ts';
import { useChange, useKeyedChange } from '../api/use.ts';
import { TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { words } from '../words/words.ts';

interface OfferingFormProps {
  /** The offering to edit; if absent, a new one is created. */
  readonly offering?: Schemas['Offering'];
  readonly onClose: () => void;
  readonly onSaved: (offering: { readonly id: string }) => void;
}

export function OfferingForm({ offering, onClose, onSaved }: OfferingFormProps) {
  const [name, setName] = useState(offering?.name ?? '');
  const { change: create, send } = useKeyedChange('createOffering');
  const update = useChange('updateOffering');
  const busy = create.isPending || update.isPending;
  const save = () => {
    const body = { name: name.trim() };
    if (offering) update.mutate({ path: { offeringId: offering.id }, body }, { onSuccess: onSaved });
    else send({ body }, onSaved);
  };
  return (
    <FormDialog
      title={offering ? words.offerings.rename : words.offerings.create}
      action={words.common.save}
      busy={busy}
      error={create.error ?? update.error}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={words.common.name}
        at="name"
        required
        maxLength={200}
        value={name}
        onValue={setName}
      />
    </FormDialog>
  );
}
