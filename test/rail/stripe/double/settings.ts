/** The account's dashboard settings as API objects. */
import type { DoubleAccount } from './state.ts';

export function configurationObject({ settings }: DoubleAccount) {
  const shown = (wallet: 'apple_pay' | 'google_pay') => {
    const on = settings.wallets.includes(wallet);
    const value = on ? 'on' : 'off';
    return { available: on, display_preference: { overridable: null, preference: value, value } };
  };
  return {
    id: 'pmc_1',
    object: 'payment_method_configuration',
    active: true,
    is_default: true,
    application: null,
    livemode: false,
    name: 'Default',
    parent: null,
    apple_pay: shown('apple_pay'),
    google_pay: shown('google_pay'),
  };
}

export function domainObject(host: string) {
  const active = { status: 'active' };
  return {
    id: 'pmd_1',
    object: 'payment_method_domain',
    created: 1,
    domain_name: host,
    enabled: true,
    livemode: false,
    amazon_pay: active,
    apple_pay: active,
    google_pay: active,
    klarna: active,
    link: active,
    paypal: active,
  };
}

export function endpointObject(url: string) {
  return {
    id: 'we_1',
    object: 'webhook_endpoint',
    api_version: null,
    application: null,
    created: 1,
    description: null,
    enabled_events: ['*'],
    livemode: false,
    metadata: {},
    status: 'enabled',
    url,
  };
}
