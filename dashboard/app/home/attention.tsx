import { Link } from 'wouter-preact';
import type { Schemas } from '../api/description.ts';
import { Icon } from '../ui/icon.tsx';
import { words } from '../words/words.ts';

/** Everything that needs attention, at the top of the page; a single line if nothing does. */
export function Attention({ attention }: { readonly attention: Schemas['OverviewAnswer']['attention'] }) {
  const { disputes_open: disputes, unconfirmed_payments: unconfirmed, rail_account: rail } = attention;
  const {
    declines_above_limit: testing,
    endpoints_disabled: disabled,
    endpoints_failing: failing,
    deliveries_exhausted: exhausted,
  } = attention;
  const rails = {
    missing: words.home.noRail,
    activating: words.home.railNotReady,
    disabled: words.home.railNotReady,
  };
  const items: readonly (readonly [string, string])[] = [
    ...(rail === 'active' ? [] : [[rails[rail], '/rail-accounts'] as const]),
    ...(disputes > 0 ? [[words.home.disputes(disputes), '/payments/disputes?status=open'] as const] : []),
    ...(testing > 0 ? [[words.home.testing(testing), '/payments?status=failed'] as const] : []),
    ...(unconfirmed > 0
      ? [[words.home.unconfirmed(unconfirmed), '/checkouts?status=reconciliation_required'] as const]
      : []),
    ...(disabled > 0 ? [[words.home.disabled(disabled), '/webhooks'] as const] : []),
    ...(failing > 0 ? [[words.home.failing(failing), '/webhooks'] as const] : []),
    ...(exhausted > 0
      ? [[words.home.exhausted(exhausted), '/webhooks/events?status=exhausted'] as const]
      : []),
  ];
  if (items.length === 0) {
    return (
      <p class="all-well">
        <Icon name="check" />
        {words.home.allWell}
      </p>
    );
  }
  return (
    <section class="attention" aria-labelledby="attention">
      <h2 id="attention">{words.home.attention}</h2>
      <ul>
        {items.map(([text, href]) => (
          <li key={text}>
            <Icon name="warning" />
            <Link href={href}>{text}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
