/** Dialogs for a person's commands on a subscription; each explains its effect before confirmation. */
import { useState } from 'preact/hooks';
import { useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useKeyedChange, useRead } from '../api/use.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Copy } from '../ui/copy.tsx';
import { DAY_MS, localDay, noonOf } from '../ui/days.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { dayOf, exactTime, money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { ChangePlan } from './change-plan.tsx';
import { ChangeQuantity } from './change-quantity.tsx';
import { MoveTrial } from './move-trial.tsx';
import { Pause, Resume } from './pause.tsx';
import { PreviewNote, usePreview } from './preview.tsx';
import { PreviewedCommand } from './previewed-command.tsx';
import { type ActionProps, isOver, isToUndo, useCommand } from './subscription-command.ts';
import { undoText } from './subscription-text.ts';
import { waysToCancel } from './ways-to-cancel.ts';

export type ActionName =
  | 'cancel'
  | 'undoCancel'
  | 'pause'
  | 'resume'
  | 'trial'
  | 'pay'
  | 'payLink'
  | 'plan'
  | 'quantity'
  | 'undo'
  | 'clock'
  | 'method';

const ACTIONS = {
  cancel: Cancel,
  undoCancel: UndoCancel,
  pause: Pause,
  resume: Resume,
  trial: MoveTrial,
  pay: PayNow,
  payLink: PayLink,
  plan: ChangePlan,
  quantity: ChangeQuantity,
  undo: Undo,
  clock: MoveClock,
  method: MethodLink,
};

export function SubscriptionAction({ name, ...props }: ActionProps & { readonly name: ActionName }) {
  const Action = ACTIONS[name];
  return <Action {...props} />;
}

function Cancel(props: ActionProps) {
  const { subscription, onClose } = props;
  const { cancel_at_period_end: ends, change } = subscription;
  const mayEndNow = useMay('manage_subscriptions');
  const ways = waysToCancel(subscription, mayEndNow);
  const [chosen, setWhen] = useState(ways[0]);
  const [isAsked, setIsAsked] = useState(false);
  // The subscription may have been cancelled since, perhaps by an earlier click whose response was lost.
  const when = isAsked ? 'now' : (ways.find((way) => way === chosen) ?? ways[0]);
  const { send, busy, error, isSent } = useCommand(props);
  const query = { command: 'cancel', effective: when === 'end' ? 'period_end' : 'now' } as const;
  const cannotCancel = isToUndo(change) || !when;
  const preview = usePreview(subscription, query, !cannotCancel && !isSent);
  const endText = useEndText(subscription);
  if (cannotCancel) {
    const { cancelFirst, updates } = words.subscriptions;
    return (
      <Dialog title={words.subscriptions.cancelTitle} onClose={onClose}>
        <p>{isToUndo(change) ? cancelFirst : updates.cancellation_set}</p>
        <div class="dialog-actions">
          <Button onClick={onClose}>{words.common.close}</Button>
        </div>
      </Dialog>
    );
  }
  // For a paused subscription, a person without the right to cancel immediately sends a cancellation at the period's
  // end, which ends it now.
  const submit = () => {
    const at_period_end = when === 'end' || !mayEndNow;
    if (preview.previewed)
      send({ command: 'cancel', at_period_end, calculated_at: preview.previewed.calculated_at });
  };
  if (isAsked) {
    return (
      <Confirm
        title={words.subscriptions.endTitle}
        text={words.subscriptions.endText}
        action={words.subscriptions.endNow}
        danger
        busy={busy}
        error={error}
        onConfirm={submit}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={words.subscriptions.cancelTitle}
      action={words.subscriptions.cancel}
      danger
      back={words.subscriptions.keep}
      disabled={!preview.previewed}
      busy={busy}
      error={error}
      onSubmit={ends ? () => setIsAsked(true) : submit}
      onClose={onClose}
    >
      <SelectField
        label={words.subscriptions.cancelWhen}
        value={when}
        onValue={(value) => setWhen(value === 'now' ? 'now' : 'end')}
        options={ways.map((way) => [
          way,
          way === 'end' ? words.subscriptions.cancelAtEnd : words.subscriptions.cancelNow,
        ])}
      />
      <PreviewNote
        preview={preview}
        text={({ effective_at: at }) =>
          when === 'end' ? endText(dayOf(at)) : words.subscriptions.cancelNowText
        }
      />
    </FormDialog>
  );
}

/** A past-due subscription continues to be charged; the merchant's settings determine for how long. */
function useEndText(subscription: ActionProps['subscription']): (day: string) => string {
  const isPastDue = subscription.status === 'past_due';
  const { data: settings } = useRead('showMerchantSettings', {}, { enabled: isPastDue });
  const { cancelAtEndText, cancelUnpaidText, cancelUndoText } = words.subscriptions;
  return (day) =>
    [
      !isPastDue && cancelAtEndText(day),
      isPastDue && settings && cancelUnpaidText(settings.collect_after_cancellation),
      !isOver(subscription) && cancelUndoText(day),
    ]
      .filter(Boolean)
      .join(' ');
}

function Undo(props: ActionProps) {
  const { change } = props.subscription;
  const { send, busy, error } = useCommand(props);
  if (!change) return null;
  return (
    <Confirm
      title={words.subscriptions.undoTitle}
      text={undoText(change)}
      action={words.subscriptions.undo}
      busy={busy}
      error={error}
      onConfirm={() => send({ command: 'cancel_change', change_id: change.action_id })}
      onClose={props.onClose}
    />
  );
}

function UndoCancel(props: ActionProps) {
  return (
    <PreviewedCommand
      {...props}
      title={words.subscriptions.undoCancelTitle}
      action={words.subscriptions.undoCancel}
      query={{ command: 'undo_cancel', effective: 'period_end' }}
      commandFor={() => ({ command: 'undo_cancel' })}
      text={(previewed) => undoneText(props.subscription, previewed)}
    />
  );
}

function undoneText(
  { current_period_end: end, pause_at_period_end: pauses }: ActionProps['subscription'],
  { next_renewal: next, currency }: Schemas['ChangePreviewAnswer'],
): string {
  const { undoCancelText, undoCancelPausesText, undoCancelLastText } = words.subscriptions;
  const day = end ? dayOf(end) : '';
  if (pauses) return undoCancelPausesText(day);
  return next ? undoCancelText(dayOf(next.at), money(next.total, currency)) : undoCancelLastText(day);
}

/** The oldest unpaid invoice, because the API refuses a newer one. */
function useOldestUnpaid({ id, environment }: ActionProps['subscription']) {
  const { data } = useRead('searchInvoices', { query: { environment, q: id, limit: 100 } });
  return data?.data.filter(({ status }) => UNPAID.has(status)).at(-1);
}

function PayNow(props: ActionProps) {
  const oldest = useOldestUnpaid(props.subscription);
  const { send, busy, error } = useCommand(props);
  if (!oldest) return null;
  return (
    <Confirm
      title={words.subscriptions.payTitle}
      text={words.subscriptions.payText(money(oldest.amount_due, oldest.currency))}
      action={words.subscriptions.pay}
      busy={busy}
      error={error}
      onConfirm={() => send({ command: 'pay', invoice_id: oldest.id })}
      onClose={props.onClose}
    />
  );
}

function PayLink({ subscription, onClose }: ActionProps) {
  const oldest = useOldestUnpaid(subscription);
  const { change: create, send } = useKeyedChange('linkInvoice');
  if (create.data)
    return <Link title={words.subscriptions.payLinkTitle} link={create.data} onClose={onClose} />;
  if (!oldest) return null;
  const path = { subscriptionId: subscription.id };
  return (
    <Confirm
      title={words.subscriptions.payLinkTitle}
      text={words.subscriptions.payLinkText(
        money(oldest.amount_due, oldest.currency),
        ['charge', 'retry'].includes(subscription.dunning?.waits_for ?? ''),
      )}
      action={words.subscriptions.createLink}
      busy={create.isPending}
      error={create.error}
      onConfirm={() => send({ path, body: { invoice_id: oldest.id } })}
      onClose={onClose}
    />
  );
}

interface LinkProps {
  readonly title: string;
  readonly link: { readonly url: string; readonly expires_at: string };
  readonly onClose: () => void;
}

function Link({ title, link, onClose }: LinkProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{words.subscriptions.linkText(exactTime(link.expires_at))}</p>
      <p class="secret">
        <Copy value={link.url} />
      </p>
      <div class="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {words.common.close}
        </Button>
      </div>
    </Dialog>
  );
}

const UNPAID: ReadonlySet<string> = new Set(['open', 'payment_failed']);

function MoveClock(props: ActionProps) {
  const { subscription, onClose } = props;
  const { clock, current_period_end: end } = subscription;
  const afterPeriod = Date.parse(end ?? clock) + DAY_MS;
  const [to, setTo] = useState(() => localDay(Math.max(afterPeriod, Date.parse(clock) + DAY_MS)));
  const { send, busy, error } = useCommand(props);
  const submit = () => {
    send({ command: 'advance', to: noonOf(to).toISOString() });
  };
  return (
    <FormDialog
      title={words.subscriptions.moveTitle}
      action={words.subscriptions.move}
      busy={busy}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={words.subscriptions.moveTo}
        at="to"
        hint={words.subscriptions.moveText}
        type="date"
        required
        min={localDay(Date.parse(clock))}
        value={to}
        onValue={setTo}
      />
    </FormDialog>
  );
}

function MethodLink({ subscription: { id }, onClose }: ActionProps) {
  const [url, setUrl] = useState('');
  const { change: create, send } = useKeyedChange('linkMethodChange');
  const submit = () => {
    send({ path: { subscriptionId: id }, body: { return_url: url } });
  };
  if (create.data)
    return <Link title={words.subscriptions.methodTitle} link={create.data} onClose={onClose} />;
  return (
    <FormDialog
      title={words.subscriptions.methodTitle}
      action={words.subscriptions.createLink}
      busy={create.isPending}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p class="note">{words.subscriptions.methodText}</p>
      <TextField
        label={words.subscriptions.returnUrl}
        at="return_url"
        type="url"
        required
        placeholder="https://"
        value={url}
        onValue={setUrl}
      />
    </FormDialog>
  );
}
