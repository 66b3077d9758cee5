import { useState } from 'preact/hooks';
import { type Environment, useAt } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useKeyedChange, useRead } from '../api/use.ts';
import { DAY_MS, localDay, noonOf } from '../ui/days.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { words } from '../words/words.ts';
import { PriceMoveReport } from './price-move-report.tsx';
import { priceText } from './price-text.ts';

interface MoveProps {
  /** The price whose subscribers move, no longer active. */
  readonly old: Schemas['Price'];
  readonly active: Schemas['Price'];
  readonly onClose: () => void;
}

/** Moves all subscribers of a price to the active one, after showing how many and what they will pay. */
export function MoveSubscribers(props: MoveProps) {
  const settings = useRead('showMerchantSettings');
  if (settings.data) return <MoveForm {...props} noticeDays={settings.data.price_move_notice_days} />;
  return settings.error ? <ProblemNote error={settings.error} /> : <Loading />;
}

function MoveForm({ old, active, onClose, noticeDays }: MoveProps & { readonly noticeDays: number }) {
  const { environment: viewed } = useAt();
  const [environment, setEnvironment] = useState<Environment>(viewed);
  // The notice period starts now; noon of the day after its last day is always late enough.
  const [earliest] = useState(() => localDay(Date.now() + (noticeDays + 1) * DAY_MS));
  const [day, setDay] = useState(earliest);
  const { change: create, send } = useKeyedChange('createPriceMove');
  const from = noonOf(day);
  const enabled = !Number.isNaN(from.getTime()) && !create.isSuccess;
  const wanted = {
    environment,
    old_price_id: old.id,
    new_price_id: active.id,
    from: enabled ? from.toISOString() : '',
  };
  const preview = useRead('previewPriceMove', { query: wanted }, { enabled });
  const previewed = preview.isPlaceholderData || preview.error ? undefined : preview.data;
  return (
    <FormDialog
      title={words.products.moves.dialogTitle}
      action={words.products.moves.action}
      disabled={!previewed}
      busy={create.isPending}
      error={create.error}
      previewError={enabled ? preview.error : null}
      onSubmit={() => send({ body: wanted }, onClose)}
      onClose={onClose}
    >
      <p class="note">{words.products.moves.change(priceText(old), priceText(active))}</p>
      <SelectField
        label={words.common.environment}
        at="environment"
        value={environment}
        onValue={(value) => setEnvironment(value === 'production' ? 'production' : 'sandbox')}
        options={[
          ['sandbox', words.common.sandbox],
          ['production', words.common.production],
        ]}
      />
      <TextField
        label={words.products.moves.from}
        at="from"
        hint={words.products.moves.fromHint(noticeDays)}
        type="date"
        required
        min={earliest}
        value={day}
        onValue={setDay}
      />
      <ProblemNote error={enabled ? preview.error : null} />
      {previewed && <PriceMoveReport of={previewed} environment={environment} />}
    </FormDialog>
  );
}
