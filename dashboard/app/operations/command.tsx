import { useState } from 'preact/hooks';
import type { Operations, Schemas } from '../api/description.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { words } from '../words/words.ts';
import type { CommandName, OfferedCommand } from './commands.ts';
import { kindText } from './incidents.tsx';
import { useOperatorChange } from './use.ts';

interface CommandProps {
  readonly command: OfferedCommand;
  readonly id: string;
  readonly onClose: () => void;
  /** Receives the service's message: the result, or what to do next. */
  readonly onDone: (answer: CommandAnswer) => void;
}

export type CommandAnswer = Schemas['OperatorCommandAnswer'];
type Body = Operations['commandSubject']['body'];
type Outcome = 'succeeded' | 'failed' | 'won' | 'lost';

const OUTCOMES: Partial<Record<CommandName, readonly Outcome[]>> = {
  resolve: ['failed', 'succeeded'],
  dispute_close: ['lost', 'won'],
};
const WITH_EVIDENCE: readonly CommandName[] = ['resolve', 'returned', 'dispute_close', 'credit'];

/** A dialog that describes a command in full and asks for a reason and, if it concerns money, for evidence. */
export function CommandDialog({ command: { name, kind }, id, onClose, onDone }: CommandProps) {
  const outcomes = OUTCOMES[name];
  const [outcome, setOutcome] = useState<Outcome | undefined>(outcomes?.[0]);
  const [reason, setReason] = useState('');
  const [evidence, setEvidence] = useState('');
  const command = useOperatorChange('commandSubject');
  const text = words.operations.commands[name];
  const send = (event: Event) => {
    event.preventDefault();
    const body = bodyOf(name, { outcome, reason, evidence, kind });
    command.mutate({ path: { id }, body }, { onSuccess: onDone });
  };
  const busy = command.isPending;
  return (
    <Dialog title={text.name} onClose={onClose} busy={busy}>
      <Form error={command.error} onSubmit={send}>
        <p class="note">{text.does}</p>
        {name === 'incident_close' && kind && <p>{kindText(kind)}</p>}
        {outcomes && (
          <SelectField
            label={words.operations.outcome}
            at={['outcome', 'status']}
            value={outcome ?? ''}
            onValue={(value) => setOutcome(outcomes.find((each) => each === value))}
            options={outcomes.map((each) => [each, words.operations.outcomes[each]])}
          />
        )}
        {name !== 'ask' && (
          <TextField
            label={words.operations.reason}
            at="reason"
            hint={words.operations.reasonHint}
            required
            maxLength={2_000}
            value={reason}
            onValue={setReason}
          />
        )}
        {WITH_EVIDENCE.includes(name) && (
          <TextField
            label={words.operations.evidence}
            at="evidence"
            hint={words.operations.evidenceHint}
            required
            maxLength={2_000}
            value={evidence}
            onValue={setEvidence}
          />
        )}
        <ProblemNote error={command.error} />
        <div class="dialog-actions">
          <Button onClick={onClose} disabled={busy}>
            {words.common.cancel}
          </Button>
          <Button kind={name === 'ask' ? 'primary' : 'danger'} type="submit" busy={busy}>
            {text.name}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

interface Given {
  readonly outcome: Outcome | undefined;
  readonly reason: string;
  readonly evidence: string;
  readonly kind: Schemas['Incident']['kind'] | null;
}

function bodyOf(command: CommandName, { outcome, reason, evidence, kind }: Given): Body {
  switch (command) {
    case 'ask':
      return { command };
    case 'resolve':
      return { command, outcome: outcome === 'succeeded' ? 'succeeded' : 'failed', reason, evidence };
    case 'dispute_close':
      return { command, status: outcome === 'won' ? 'won' : 'lost', reason, evidence };
    case 'returned':
    case 'credit':
      return { command, reason, evidence };
    case 'incident_close':
      if (!kind) throw new Error('the button is shown only beside an incident that a person closes');
      return { command, kind, reason };
    default:
      return { command, reason };
  }
}
