/** Dialogs that pause a subscription, change the end of its pause, and resume it. */
import { useState } from 'preact/hooks';
import type { Schemas } from '../api/description.ts';
import { DAY_MS, localDay, noonOf } from '../ui/days.ts';
import { TextField } from '../ui/field.tsx';
import { dayOf, money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { PreviewedCommand } from './previewed-command.tsx';
import type { ActionProps } from './subscription-command.ts';

type Previewed = Schemas['ChangePreviewAnswer'];

export function Pause(props: ActionProps) {
  const { clock, current_period_end: end, resumes_at: resumesAt } = props.subscription;
  const [until, setUntil] = useState(resumesAt ? localDay(Date.parse(resumesAt)) : '');
  const earliest = Math.max(Date.parse(end ?? clock), Date.parse(clock)) + DAY_MS;
  const date = until === '' ? null : noonOf(until);
  const isDate = date === null || !Number.isNaN(date.getTime());
  const resumes = isDate && date ? { resumes_at: date.toISOString() } : {};
  return (
    <PreviewedCommand
      {...props}
      title={words.subscriptions.pauseTitle}
      action={words.subscriptions.pause}
      query={isDate ? { command: 'pause', effective: 'period_end', ...resumes } : null}
      commandFor={() => ({ command: 'pause', resumes_at: null, ...resumes })}
      text={pausedText}
    >
      <TextField
        label={words.subscriptions.pauseUntil}
        at="resumes_at"
        hint={words.subscriptions.pauseUntilHint}
        type="date"
        min={localDay(earliest)}
        value={until}
        onValue={setUntil}
      />
    </PreviewedCommand>
  );
}

export function Resume(props: ActionProps) {
  return (
    <PreviewedCommand
      {...props}
      title={words.subscriptions.resumeTitle}
      action={words.subscriptions.resume}
      query={{ command: 'resume', effective: 'now' }}
      commandFor={({ calculated_at }) => ({ command: 'resume', calculated_at })}
      text={(previewed) => resumedText(props.subscription, previewed)}
    />
  );
}

function pausedText({ effective_at: at, next_renewal: next, currency }: Previewed): string {
  const { pauseText, resumesText } = words.subscriptions;
  const paused = pauseText(dayOf(at));
  return next ? `${paused} ${resumesText(dayOf(next.at), money(next.total, currency))}` : paused;
}

function resumedText(
  { status, current_period_end: end }: ActionProps['subscription'],
  { total, next_renewal: next, currency }: Previewed,
): string {
  const { resumeText, resumeThenText, notPausedText, notPausedEndsText } = words.subscriptions;
  const then = next && ([dayOf(next.at), money(next.total, currency)] as const);
  if (status !== 'paused') return then ? notPausedText(...then) : notPausedEndsText(end ? dayOf(end) : '');
  const resumed = resumeText(money(total, currency));
  return then ? `${resumed} ${resumeThenText(...then)}` : resumed;
}
