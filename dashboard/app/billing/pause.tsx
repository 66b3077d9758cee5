/** Dialogs that pause a subscription, change the end of its pause, and resume it. */
import { useState } from 'preact/hooks';
import { Confirm } from '../ui/confirm.tsx';
import { DAY_MS, localDay, noonOf } from '../ui/days.ts';
import { TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { dayOf } from '../words/format.ts';
import { words } from '../words/words.ts';
import { priceAt } from './price-at.ts';
import { type ActionProps, useCommand } from './subscription-command.ts';

export function Pause(props: ActionProps) {
  const { subscription, onClose } = props;
  const { clock, current_period_end: end, resumes_at: resumesAt } = subscription;
  const [until, setUntil] = useState(resumesAt ? localDay(Date.parse(resumesAt)) : '');
  const { send, busy, error } = useCommand(props);
  const earliest = Math.max(Date.parse(end ?? clock), Date.parse(clock)) + DAY_MS;
  const submit = () =>
    send({ command: 'pause', resumes_at: until === '' ? null : noonOf(until).toISOString() });
  return (
    <FormDialog
      title={words.subscriptions.pauseTitle}
      action={words.subscriptions.pause}
      busy={busy}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p class="note">{words.subscriptions.pauseText(end ? dayOf(end) : '')}</p>
      <TextField
        label={words.subscriptions.pauseUntil}
        hint={words.subscriptions.pauseUntilHint}
        type="date"
        min={localDay(earliest)}
        value={until}
        onValue={setUntil}
      />
    </FormDialog>
  );
}

export function Resume(props: ActionProps) {
  const { status, clock, current_period_end: end } = props.subscription;
  const { send, busy, error } = useCommand(props);
  const { resumeText, notPausedText } = words.subscriptions;
  return (
    <Confirm
      title={words.subscriptions.resumeTitle}
      text={
        status === 'paused'
          ? resumeText(priceAt(props.subscription, clock))
          : notPausedText(end ? dayOf(end) : '')
      }
      action={words.subscriptions.resume}
      busy={busy}
      error={error}
      onConfirm={() => send({ command: 'resume' })}
      onClose={props.onClose}
    />
  );
}
