import { Link, useLocation } from 'wouter-preact';
import { words } from '../words/words.ts';

export function WebhookTabs() {
  const [path] = useLocation();
  const events = path.startsWith('/webhooks/events');
  return (
    <nav class="tabs" aria-label={words.shell.pages.webhooks}>
      <Link href="/webhooks" aria-current={events ? undefined : 'page'}>
        {words.webhooks.endpoints}
      </Link>
      <Link href="/webhooks/events" aria-current={events ? 'page' : undefined}>
        {words.webhooks.events}
      </Link>
    </nav>
  );
}
