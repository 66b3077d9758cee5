/** What of a merchant is on or off: each takes effect when it is pressed. */
import { useState } from 'preact/hooks';
import { useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useChange } from '../api/use.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { CheckField } from '../ui/field.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { words } from '../words/words.ts';

interface SwitchProps {
  readonly merchant: Schemas['Merchant'];
}

export function AfterDispute({ merchant: { renew_after_lost_dispute: renews } }: SwitchProps) {
  const mayChange = useMay('administer');
  const update = useChange('updateMerchant');
  return (
    <>
      <CheckField
        label={words.business.renew}
        checked={renews}
        disabled={!mayChange || update.isPending}
        onValue={(renew) => update.mutate({ body: { renew_after_lost_dispute: renew } })}
      />
      <p class="hint">{words.business.renewHint}</p>
      <ProblemNote error={update.error} />
    </>
  );
}

/** For the people who run the installation. */
export function Operated({ merchant: { status, capabilities } }: SwitchProps) {
  const update = useChange('updateMerchant');
  const [asking, setAsking] = useState(false);
  const active = status === 'active';
  const setStatus = (to: 'active' | 'inactive') =>
    update.mutate({ body: { status: to } }, { onSuccess: () => setAsking(false) });
  return (
    <>
      <CheckField
        label={words.business.subscriptions}
        checked={capabilities.subscriptions}
        disabled={update.isPending}
        onValue={(subscriptions) => update.mutate({ body: { capabilities: { subscriptions } } })}
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
