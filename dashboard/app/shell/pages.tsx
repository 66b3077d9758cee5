/** Every page, its place in the navigation, and the letter after `g` that leads there. */
import type { FunctionComponent } from 'preact';
import type { Permission } from '../place/at.ts';
import type { PageProps } from '../place/page-props.ts';
import type { IconName } from '../ui/icon.tsx';
import type { Words } from '../words/en.ts';
import { lazy } from './lazy.tsx';

interface PlacedPage {
  readonly path: string;
  readonly Show: FunctionComponent<PageProps>;
}
interface NavItem {
  readonly name: keyof Words['shell']['pages'];
  readonly href: string;
  readonly icon: IconName;
  readonly letter: string;
  readonly needs?: Permission;
}
interface NavGroup {
  readonly title: keyof Words['shell']['groups'] | null;
  readonly items: readonly NavItem[];
}

export const PAGES: readonly PlacedPage[] = [
  { path: '/', Show: lazy(async () => (await import('../home/home.tsx')).Home) },
  { path: '/payments', Show: lazy(async () => (await import('../payments/payments.tsx')).Payments) },
  { path: '/payments/:id', Show: lazy(async () => (await import('../payments/payment.tsx')).Payment) },
  { path: '/webhooks', Show: lazy(async () => (await import('../webhooks/endpoints.tsx')).Endpoints) },
  {
    path: '/webhooks/endpoints/:id',
    Show: lazy(async () => (await import('../webhooks/endpoint.tsx')).Endpoint),
  },
  { path: '/webhooks/events', Show: lazy(async () => (await import('../webhooks/events.tsx')).Events) },
  { path: '/webhooks/events/:id', Show: lazy(async () => (await import('../webhooks/event.tsx')).Event) },
];

export const NAVIGATION: readonly NavGroup[] = [
  {
    title: null,
    items: [
      { name: 'home', href: '', icon: 'home', letter: 'h' },
      { name: 'payments', href: 'payments', icon: 'payments', letter: 'p' },
    ],
  },
  {
    title: 'developers',
    items: [{ name: 'webhooks', href: 'webhooks', icon: 'webhooks', letter: 'w' }],
  },
];
