import { useState } from 'preact/hooks';
import { DAY_MS, LONGEST_TRIAL_DAYS, localDay, noonOf } from '../ui/days.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { dayOf } from '../words/format.ts';
import { words } from '../words/words.ts';
import { priceAt } from './price-at.ts';
import { type ActionProps, useCommand } from './subscription-command.ts';

/** Moves the end of a trial to a day, or to now. */
export function MoveTrial(props: ActionProps) {
  const { subscription } = props;
  const { clock, trial_end: end } = subscription;
  const now = Date.parse(clock);
  const [when, setWhen] = useState<'day' | 'now'>('day');
  const [day, setDay] = useState(localDay(Date.parse(end ?? clock)));
  const { send, busy, error } = useCommand(props);
  const endsAt = noonOf(day);
  const isDay = !Number.isNaN(endsAt.getTime());
  const { trialDayText, trialNowText } = words.subscriptions;
  return (
    <FormDialog
      title={words.subscriptions.moveTrialTitle}
      action={when === 'now' ? words.subscriptions.endTrial : words.subscriptions.moveTrial}
      disabled={when === 'day' && !isDay}
      busy={busy}
      error={error}
      onSubmit={() => send({ command: 'move_trial', ends_at: when === 'now' ? 'now' : endsAt.toISOString() })}
      onClose={props.onClose}
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
          type="date"
          required
          min={localDay(now + DAY_MS)}
          max={localDay(now + (LONGEST_TRIAL_DAYS - 1) * DAY_MS)}
          value={day}
          onValue={setDay}
        />
      )}
      {when === 'now' && <p class="note">{trialNowText(priceAt(subscription, clock))}</p>}
      {when === 'day' && isDay && (
        <p class="note">
          {trialDayText(dayOf(endsAt.toISOString()), priceAt(subscription, endsAt.toISOString()))}
        </p>
      )}
    </FormDialog>
  );
}
