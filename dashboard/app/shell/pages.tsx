/** Every page of a merchant, its place in the navigation, and the letter after `g` that leads there. */
import type { Permission } from '../api/at.ts';
import type { IconName } from '../ui/icon.tsx';
import type { Words } from '../words/en.ts';
import { type LazyPage, lazy } from './lazy.tsx';

interface PlacedPage {
  readonly path: string;
  readonly Show: LazyPage;
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
  { path: '/search', Show: lazy(async () => (await import('../home/search.tsx')).Search) },
  { path: '/payments', Show: lazy(async () => (await import('../payments/payments.tsx')).Payments) },
  { path: '/payments/refunds', Show: lazy(async () => (await import('../payments/refunds.tsx')).Refunds) },
  {
    path: '/payments/disputes',
    Show: lazy(async () => (await import('../payments/disputes.tsx')).Disputes),
  },
  { path: '/payments/:id', Show: lazy(async () => (await import('../payments/payment.tsx')).Payment) },
  { path: '/checkouts', Show: lazy(async () => (await import('../billing/checkouts.tsx')).Checkouts) },
  { path: '/customers', Show: lazy(async () => (await import('../billing/customers.tsx')).Customers) },
  { path: '/checkouts/:id', Show: lazy(async () => (await import('../billing/checkout.tsx')).Checkout) },
  {
    path: '/customers/:id',
    Show: lazy(async () => (await import('../billing/customer.tsx')).Customer),
  },
  {
    path: '/subscriptions/:id',
    Show: lazy(async () => (await import('../billing/subscription.tsx')).Subscription),
  },
  {
    path: '/invoices/credit-notes',
    Show: lazy(async () => (await import('../billing/credit-notes.tsx')).CreditNotes),
  },
  {
    path: '/invoices/credit-notes/:id',
    Show: lazy(async () => (await import('../billing/credit-note.tsx')).CreditNote),
  },
  { path: '/invoices/taxes', Show: lazy(async () => (await import('../billing/taxes.tsx')).Taxes) },
  { path: '/invoices/:id', Show: lazy(async () => (await import('../billing/invoice.tsx')).Invoice) },
  {
    path: '/subscriptions',
    Show: lazy(async () => (await import('../billing/subscriptions.tsx')).Subscriptions),
  },
  { path: '/invoices', Show: lazy(async () => (await import('../billing/invoices.tsx')).Invoices) },
  { path: '/products', Show: lazy(async () => (await import('../catalogue/products.tsx')).Products) },
  { path: '/products/:id', Show: lazy(async () => (await import('../catalogue/product.tsx')).Product) },
  { path: '/offerings', Show: lazy(async () => (await import('../catalogue/offerings.tsx')).Offerings) },
  { path: '/offerings/:id', Show: lazy(async () => (await import('../catalogue/offering.tsx')).Offering) },
  { path: '/coupons', Show: lazy(async () => (await import('../catalogue/coupons.tsx')).Coupons) },
  { path: '/webhooks', Show: lazy(async () => (await import('../webhooks/endpoints.tsx')).Endpoints) },
  {
    path: '/webhooks/endpoints/:id',
    Show: lazy(async () => (await import('../webhooks/endpoint.tsx')).Endpoint),
  },
  { path: '/webhooks/events', Show: lazy(async () => (await import('../webhooks/events.tsx')).Events) },
  { path: '/webhooks/events/:id', Show: lazy(async () => (await import('../webhooks/event.tsx')).Event) },
  { path: '/api-keys', Show: lazy(async () => (await import('../api-keys/api-keys.tsx')).Keys) },
  {
    path: '/storefront-clients',
    Show: lazy(async () => (await import('../settings/storefront-clients.tsx')).StorefrontClients),
  },
  {
    path: '/rail-accounts',
    Show: lazy(async () => (await import('../settings/rail-accounts.tsx')).RailAccounts),
  },
  { path: '/business', Show: lazy(async () => (await import('../settings/business.tsx')).Business) },
  { path: '/branding', Show: lazy(async () => (await import('../settings/branding.tsx')).Branding) },
  { path: '/audit', Show: lazy(async () => (await import('../audit/audit.tsx')).Audit) },
];

/** Pages of the merchant as a whole: a change applies to both sandbox and live. */
const SERVES_BOTH: readonly string[] = ['products', 'offerings', 'business', 'branding'];

/** @param rest the path below the environment */
export const servesBoth = (rest: string) => SERVES_BOTH.includes(rest.split('/')[0] ?? '');

/** @param rest the path below the environment */
export function preloadPage(rest: string): void {
  const parts = rest.split('/').filter(Boolean);
  const page = PAGES.find(({ path }) => {
    const names = path.split('/').filter(Boolean);
    return (
      names.length === parts.length && names.every((name, nth) => name.startsWith(':') || name === parts[nth])
    );
  });
  page?.Show.preload();
}

export const NAVIGATION: readonly NavGroup[] = [
  {
    title: null,
    items: [
      { name: 'home', href: '', icon: 'home', letter: 'h' },
      { name: 'search', href: 'search', icon: 'search', letter: 'e' },
    ],
  },
  {
    title: 'payments',
    items: [
      { name: 'payments', href: 'payments', icon: 'payments', letter: 'p' },
      { name: 'checkouts', href: 'checkouts', icon: 'checkouts', letter: 'c' },
      { name: 'customers', href: 'customers', icon: 'customers', letter: 'u' },
      { name: 'subscriptions', href: 'subscriptions', icon: 'subscriptions', letter: 's' },
      { name: 'invoices', href: 'invoices', icon: 'invoices', letter: 'i' },
    ],
  },
  {
    title: 'catalogue',
    items: [
      { name: 'products', href: 'products', icon: 'products', letter: 'd' },
      { name: 'offerings', href: 'offerings', icon: 'offerings', letter: 'o' },
      { name: 'coupons', href: 'coupons', icon: 'coupons', letter: 'n' },
    ],
  },
  {
    title: 'developers',
    items: [
      { name: 'webhooks', href: 'webhooks', icon: 'webhooks', letter: 'w' },
      { name: 'keys', href: 'api-keys', icon: 'keys', letter: 'k' },
      { name: 'storefront', href: 'storefront-clients', icon: 'storefront', letter: 'f' },
    ],
  },
  {
    title: 'settings',
    items: [
      { name: 'rail', href: 'rail-accounts', icon: 'rail', letter: 'r' },
      { name: 'business', href: 'business', icon: 'business', letter: 'l' },
      { name: 'branding', href: 'branding', icon: 'branding', letter: 'b' },
      { name: 'audit', href: 'audit', icon: 'audit', letter: 'a', needs: 'read_audit' },
    ],
  },
];
