import { useState } from 'preact/hooks';
import { useAt } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useChange, useRead } from '../api/use.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { fieldName } from '../words/en-rail-findings.ts';
import { words } from '../words/words.ts';
import { Findings } from './findings.tsx';

export function SetRailAccount({ onClose }: { readonly onClose: () => void }) {
  const { environment } = useAt();
  const rails = useRead('listRails');
  const [name, setName] = useState('');
  const [credential, setCredential] = useState<Readonly<Record<string, string>>>({});
  const [replace, setReplace] = useState(false);
  const set = useChange('setRailAccount');
  const known = rails.data?.data ?? [];
  const hints: Readonly<Record<string, string>> = words.railFindings.hints;
  const rail = known.find((each) => each.name === name) ?? known[0];
  const send = (event: Event) => {
    event.preventDefault();
    if (!rail) return;
    const given = Object.fromEntries(Object.entries(credential).filter(([, value]) => value !== ''));
    set.mutate({ body: { environment, rail: rail.name, credential: given, replace } });
  };
  if (set.data) return <Checked findings={set.data} onClose={onClose} />;
  return (
    <Dialog title={words.rail.setTitle} onClose={onClose} busy={set.isPending}>
      <Form error={set.error} onSubmit={send}>
        <ProblemNote error={rails.error} />
        {!rails.data && !rails.error && <Loading />}
        {rails.data && !rail && <p>{words.rail.noRails}</p>}
        {rail && (
          <>
            <p class="note">{words.rail.setText(environment === 'production')}</p>
            <SelectField
              label={words.rail.rail}
              at="rail"
              value={rail.name}
              onValue={(value) => {
                setName(value);
                setCredential({});
              }}
              options={known.map((each) => [each.name, each.name])}
            />
            {rail.credential_fields.map((field) => (
              <TextField
                key={`${rail.name} ${field.name}`}
                label={fieldName(field.name)}
                at={`credential.${field.name}`}
                hint={hints[`${rail.name} ${field.name}`] ?? field.description}
                type="password"
                autocomplete="off"
                value={credential[field.name] ?? ''}
                onValue={(value) => setCredential({ ...credential, [field.name]: value })}
              />
            ))}
            <CheckField label={words.rail.replace} checked={replace} onValue={setReplace} />
          </>
        )}
        <ProblemNote error={set.error} />
        <div class="dialog-actions">
          <Button onClick={onClose} disabled={set.isPending}>
            {words.common.cancel}
          </Button>
          <Button kind="primary" type="submit" busy={set.isPending} disabled={!rail}>
            {words.rail.set}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

interface CheckedProps {
  readonly findings: Schemas['ProbedRailAccountAnswer'];
  readonly onClose: () => void;
}

function Checked({ findings, onClose }: CheckedProps) {
  return (
    <Dialog title={words.rail.checkTitle} onClose={onClose}>
      <Findings of={findings} />
      <div class="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {words.common.close}
        </Button>
      </div>
    </Dialog>
  );
}
