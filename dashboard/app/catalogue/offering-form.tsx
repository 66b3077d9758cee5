import { useState } from 'preact/hooks';
import type { Schemas } from '../api/description.ts';
import { useChange } from '../api/use.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { words } from '../words/words.ts';

interface OfferingFormProps {
  /** Absent: a new one. */
  readonly offering?: Schemas['Offering'];
  readonly onClose: () => void;
  readonly onSaved: (offering: { readonly id: string }) => void;
}

export function OfferingForm({ offering, onClose, onSaved }: OfferingFormProps) {
  const [name, setName] = useState(offering?.name ?? '');
  const create = useChange('createOffering');
  const update = useChange('updateOffering');
  const busy = create.isPending || update.isPending;
  const save = (event: Event) => {
    event.preventDefault();
    const body = { name: name.trim() };
    if (offering) update.mutate({ path: { offeringId: offering.id }, body }, { onSuccess: onSaved });
    else create.mutate({ body }, { onSuccess: onSaved });
  };
  return (
    <Dialog title={offering ? words.offerings.rename : words.offerings.create} onClose={onClose} busy={busy}>
      <form onSubmit={save}>
        <TextField label={words.common.name} required maxLength={200} value={name} onValue={setName} />
        <ProblemNote error={create.error ?? update.error} />
        <div class="dialog-actions">
          <Button onClick={onClose} disabled={busy}>
            {words.common.cancel}
          </Button>
          <Button kind="primary" type="submit" busy={busy}>
            {words.common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
