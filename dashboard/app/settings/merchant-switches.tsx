/** A merchant's on/off settings: each takes effect when it is switched. */
import { useEffect, useState } from 'preact/hooks';
import { useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useChange, useRead } from '../api/use.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { CheckField } from '../ui/field.tsx';
import { Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { words } from '../words/words.ts';

/** Shows the new position until the merchant is read again, and the stored one if the change fails. */
function usePressed(stored: boolean): [boolean, (value: boolean) => void, () => void] {
  const [pressed, setPressed] = useState<boolean | null>(null);
  useEffect(() => setPressed(null), [stored]);
  return [pressed ?? stored, setPressed, () => setPressed(null)];
}

interface SwitchProps {
  readonly merchant: Schemas['Merchant'];
}

export function AfterDispute({ merchant: { renew_after_lost_dispute: renews } }: SwitchProps) {
  const mayChange = useMay('manage_subscriptions');
  const update = useChange('updateMerchant');
  const [shown, press, failed] = usePressed(renews);
  return (
    <>
      <CheckField
        label={words.business.renew}
        checked={shown}
        disabled={!mayChange || update.isPending}
        onValue={(renew) => {
          press(renew);
          update.mutate({ body: { renew_after_lost_dispute: renew } }, { onError: failed });
        }}
      />
      <p class="hint">{words.business.renewHint}</p>
      <ProblemNote error={update.error} />
    </>
  );
}

export function AfterCancellation() {
  const { data, error } = useRead('showMerchantSettings');
  return data ? <CollectSwitch settings={data} /> : error ? <ProblemNote error={error} /> : <Loading />;
}

function CollectSwitch({ settings }: { readonly settings: Schemas['MerchantSettingsAnswer'] }) {
  const mayChange = useMay('manage_identity');
  const update = useChange('updateMerchantSettings');
  const [shown, press, failed] = usePressed(settings.collect_after_cancellation);
  return (
    <>
      <CheckField
        label={words.business.collect}
        checked={shown}
        disabled={!mayChange || update.isPending}
        onValue={(collects) => {
          press(collects);
          update.mutate({ body: { collect_after_cancellation: collects } }, { onError: failed });
        }}
      />
      <p class="hint">{words.business.collectHint}</p>
      <ProblemNote error={update.error} />
    </>
  );
}

/** The switches that only the people who run the installation see. */
export function Operated({ merchant: { status, capabilities } }: SwitchProps) {
  const update = useChange('updateMerchant');
  const [sells, press, failed] = usePressed(capabilities.subscriptions);
  const [asking, setAsking] = useState(false);
  const active = status === 'active';
  const setStatus = (to: 'active' | 'inactive') =>
    update.mutate({ body: { status: to } }, { onSuccess: () => setAsking(false) });
  return (
    <>
      <CheckField
        label={words.business.subscriptions}
        checked={sells}
        disabled={update.isPending}
        onValue={(subscriptions) => {
          press(subscriptions);
          update.mutate({ body: { capabilities: { subscriptions } } }, { onError: failed });
        }}
      />
      <div class="dialog-actions">
        <Badge tone={active ? 'good' : 'bad'}>{words.products.statuses[status]}</Badge>
        <Button busy={update.isPending} onClick={() => (active ? setAsking(true) : setStatus('active'))}>
          {active ? words.business.deactivate : words.business.activate}
        </Button>
      </div>
      {asking ? (
        <Confirm
          title={words.business.deactivateTitle}
          text={words.business.deactivateText}
          action={words.business.deactivate}
          danger
          busy={update.isPending}
          error={update.error}
          onConfirm={() => setStatus('inactive')}
          onClose={() => setAsking(false)}
        />
      ) : (
        <ProblemNote error={update.error} />
      )}
    </>
  );
}
