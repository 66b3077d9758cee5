import { Tabs } from '../ui/tabs.tsx';
import { words } from '../words/words.ts';

export function WebhookTabs() {
  return (
    <Tabs
      label={words.shell.pages.webhooks}
      tabs={[
        ['/webhooks', words.webhooks.endpoints],
        ['/webhooks/events', words.webhooks.events],
      ]}
    />
  );
}
