import { Tabs } from '../ui/tabs.tsx';
import { words } from '../words/words.ts';

export function InvoiceTabs() {
  return (
    <Tabs
      label={words.shell.pages.invoices}
      tabs={[
        ['/invoices', words.shell.pages.invoices],
        ['/invoices/credit-notes', words.creditNotes.title],
        ['/invoices/taxes', words.taxes.title],
      ]}
    />
  );
}
