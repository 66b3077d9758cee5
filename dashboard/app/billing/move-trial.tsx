import { useState } from 'preact/hooks';
import type { Schemas } from '../api/description.ts';
import { DAY_MS, LONGEST_TRIAL_DAYS, localDay, noonOf } from '../ui/days.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { dayOf, money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { PreviewedCommand } from './previewed-command.tsx';
import type { ActionProps } from './subscription-command.ts';

type Previewed = Schemas['ChangePreviewAnswer'];

/** Moves the end of a trial to a day, or to now. */
export function MoveTrial(props: ActionProps) {
  const { clock, trial_end: end } = props.subscription;
  const now = Date.parse(clock);
  const [when, setWhen] = useState<'day' | 'now'>('day');
  const [day, setDay] = useState(localDay(Date.parse(end ?? clock)));
  const noon = noonOf(day);
  const isDay = !Number.isNaN(noon.getTime());
  const endsAt = when === 'now' ? 'now' : isDay ? noon.toISOString() : null;
  return (
    <PreviewedCommand
      {...props}
      title={words.subscriptions.moveTrialTitle}
      action={when === 'now' ? words.subscriptions.endTrial : words.subscriptions.moveTrial}
      query={endsAt ? { command: 'move_trial', effective: 'now', ends_at: endsAt } : null}
      commandFor={({ effective_at: at, calculated_at: now }) => ({
        command: 'move_trial',
        ends_at: at === now ? 'now' : at,
        calculated_at: now,
      })}
      text={textOf}
    >
      <SelectField
        label={words.subscriptions.trialWhen}
        value={when}
        onValue={(value) => setWhen(value === 'now' ? 'now' : 'day')}
        options={[
          ['day', words.subscriptions.trialOnDay],
          ['now', words.subscriptions.trialNow],
        ]}
      />
      {when === 'day' && (
        <TextField
          label={words.subscriptions.trialEnds}
          at="ends_at"
          type="date"
          required
          min={localDay(now + DAY_MS)}
          max={localDay(now + (LONGEST_TRIAL_DAYS - 1) * DAY_MS)}
          value={day}
          onValue={setDay}
        />
      )}
    </PreviewedCommand>
  );
}

function textOf({
  total,
  effective_at: at,
  next_renewal: next,
  calculated_at: now,
  currency,
}: Previewed): string {
  const { trialDayText, trialNowText } = words.subscriptions;
  if (at === now) return trialNowText(money(total, currency));
  return trialDayText(dayOf(at), money(next?.total ?? 0, currency));
}
