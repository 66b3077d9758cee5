import { Tabs } from '../ui/tabs.tsx';
import { words } from '../words/words.ts';

export function PaymentTabs() {
  return (
    <Tabs
      label={words.shell.pages.payments}
      tabs={[
        ['/payments', words.shell.pages.payments],
        ['/payments/refunds', words.payments.refunds],
        ['/payments/disputes', words.payments.disputes],
      ]}
    />
  );
}
