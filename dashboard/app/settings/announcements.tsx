/** How many days ahead the merchant's server is notified of the end of a trial, of a renewal, and of a new price. */
import { useState } from 'preact/hooks';
import { useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useChange, useRead } from '../api/use.ts';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { SaveBar } from '../ui/save-bar.tsx';
import { words } from '../words/words.ts';

const MOST_DAYS = 60;
const MOST_NOTICE_DAYS = 365;

export function Announcements() {
  const { data, error } = useRead('showMerchantSettings');
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  return <DaysForm settings={data} />;
}

function DaysForm({ settings }: { readonly settings: Schemas['MerchantSettingsAnswer'] }) {
  const mayChange = useMay('manage_identity');
  const [trial, setTrial] = useState(`${settings.trial_ending_days}`);
  const [renewal, setRenewal] = useState(`${settings.renewal_upcoming_days}`);
  const [move, setMove] = useState(`${settings.price_move_notice_days}`);
  const update = useChange('updateMerchantSettings');
  const save = (event: Event) => {
    event.preventDefault();
    update.mutate({
      body: {
        trial_ending_days: Number(trial),
        renewal_upcoming_days: Number(renewal),
        price_move_notice_days: Number(move),
      },
    });
  };
  const common = { type: 'number', required: true, min: 0, max: MOST_DAYS, disabled: !mayChange } as const;
  const texts = words.announcements;
  return (
    <Form error={update.error} onSubmit={save}>
      <p class="intro">{texts.intro}</p>
      <TextField
        {...common}
        label={texts.trial}
        at="trial_ending_days"
        hint={texts.hint}
        value={trial}
        onValue={setTrial}
      />
      <TextField
        {...common}
        label={texts.renewal}
        at="renewal_upcoming_days"
        hint={texts.hint}
        value={renewal}
        onValue={setRenewal}
      />
      <TextField
        {...common}
        max={MOST_NOTICE_DAYS}
        label={texts.priceMove}
        at="price_move_notice_days"
        hint={texts.priceMoveHint}
        value={move}
        onValue={setMove}
      />
      <SaveBar of={update} allowed={mayChange} disabled={false} label={texts.save} />
    </Form>
  );
}
