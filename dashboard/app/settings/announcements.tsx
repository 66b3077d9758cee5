/** How many days in advance the merchant's server is notified of a trial's end, a renewal or a new price. */
import { useMay } from '../api/at.ts';
import { useForm } from '../api/changed.ts';
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

type Settings = Schemas['MerchantSettingsAnswer'];

function DaysForm({ settings }: { readonly settings: Settings }) {
  const mayChange = useMay('manage_identity');
  const update = useChange('updateMerchantSettings');
  const { field, changed: body, outcome } = useForm(settings, typedOf, fieldsOf);
  const save = (event: Event) => {
    event.preventDefault();
    update.mutate({ body }, outcome);
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
        {...field('trial')}
      />
      <TextField
        {...common}
        label={texts.renewal}
        at="renewal_upcoming_days"
        hint={texts.hint}
        {...field('renewal')}
      />
      <TextField
        {...common}
        max={MOST_NOTICE_DAYS}
        label={texts.priceMove}
        at="price_move_notice_days"
        hint={texts.priceMoveHint}
        {...field('move')}
      />
      <SaveBar of={update} allowed={mayChange} disabled={false} label={texts.save} />
    </Form>
  );
}

function typedOf(settings: Settings) {
  return {
    trial: `${settings.trial_ending_days}`,
    renewal: `${settings.renewal_upcoming_days}`,
    move: `${settings.price_move_notice_days}`,
  };
}

function fieldsOf({ trial, renewal, move }: ReturnType<typeof typedOf>) {
  return {
    trial_ending_days: Number(trial),
    renewal_upcoming_days: Number(renewal),
    price_move_notice_days: Number(move),
  };
}
