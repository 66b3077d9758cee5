import { useState } from 'preact/hooks';
import type { Schemas } from '../api/description.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Fact, Facts } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { useOperatorChange } from './use.ts';

type Request = Schemas['OperatorRequest'];

/** A command that waits for a second person, who reads it and confirms or withdraws it. */
export function SecondPerson({ request }: { readonly request: Request }) {
  const [open, setOpen] = useState<'confirm' | 'withdraw' | null>(null);
  const [reason, setReason] = useState('');
  const confirm = useOperatorChange('confirmOperation');
  const withdraw = useOperatorChange('withdrawOperation');
  const onClose = () => setOpen(null);
  const how = { path: { requestId: request.id } };
  const done = confirm.data ?? withdraw.data;
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen('confirm')}>
        {words.operations.confirm}
      </Button>
      <Button kind="quiet" onClick={() => setOpen('withdraw')}>
        {words.operations.withdraw}
      </Button>
      {done && (
        <span class="note" role="status">
          {done.message}
        </span>
      )}
      {open === 'confirm' && (
        <FormDialog
          title={words.operations.confirmTitle}
          action={words.operations.confirm}
          danger
          busy={confirm.isPending}
          error={confirm.error}
          onSubmit={() => confirm.mutate(how, { onSuccess: onClose })}
          onClose={onClose}
        >
          <p>{words.operations.confirmText}</p>
          <RequestFacts request={request} />
        </FormDialog>
      )}
      {open === 'withdraw' && (
        <FormDialog
          title={words.operations.withdrawTitle}
          action={words.operations.withdraw}
          danger
          busy={withdraw.isPending}
          error={withdraw.error}
          onSubmit={() => withdraw.mutate({ ...how, body: { reason } }, { onSuccess: onClose })}
          onClose={onClose}
        >
          <p>{words.operations.withdrawText}</p>
          <RequestFacts request={request} />
          <TextField
            label={words.operations.reason}
            at="reason"
            hint={words.operations.reasonHint}
            required
            maxLength={2_000}
            value={reason}
            onValue={setReason}
          />
        </FormDialog>
      )}
    </>
  );
}

/** The complete command, as requested. */
export function RequestFacts({ request }: { readonly request: Request }) {
  const { command, outcome, amount, currency } = request;
  return (
    <Facts>
      <Fact name={words.operations.command}>
        {isKnown(command) ? words.operations.commands[command].name : command}
        {outcome && `: ${isOutcome(outcome) ? words.operations.outcomes[outcome] : outcome}`}
      </Fact>
      <Fact name={words.common.amount}>{currency ? money(amount, currency) : words.common.none}</Fact>
      <Fact name={words.operations.about}>
        <span class="break">{request.subject_id}</span>
      </Fact>
      <Fact name={words.operations.reasonGiven}>{request.reason ?? words.common.none}</Fact>
      <Fact name={words.operations.evidenceGiven}>{request.evidence ?? words.common.none}</Fact>
      <Fact name={words.operations.askedBy}>
        {request.asked_by} <Time at={request.asked_at} />
      </Fact>
    </Facts>
  );
}

const isKnown = (name: string): name is keyof typeof words.operations.commands =>
  name in words.operations.commands;
const isOutcome = (name: string): name is keyof typeof words.operations.outcomes =>
  name in words.operations.outcomes;
