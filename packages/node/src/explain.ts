/** Adds cause and remedy to errors that the server cannot explain, because it does not know the caller's intent. */

/**
 * Collections not bound to one environment: a merchant and its catalogue serve both, and a change belongs to a
 * subscription that was found.
 */
const OF_NO_ENVIRONMENT = /^(merchant|offering|plan|price|product|subscription_change)_not_found$/;

/** @returns a sentence; null if the server's message suffices */
export function explain(code: string, apiKey: string, baseUrl: string): string | null {
  if (code === 'api_key_invalid' || code === 'service_api_key_required' || code === 'access_token_invalid') {
    return aboutKey(apiKey, baseUrl);
  }
  if (code === 'sandbox_only') return 'This is a live key: use one that begins with ap_test_.';
  if (code === 'route_not_found') {
    return `Check the address ${baseUrl}, which ends before /v1; an installation that is older than this client lacks its newer operations.`;
  }
  if (code.endsWith('_not_found') && !OF_NO_ENVIRONMENT.test(code) && /^ap_(test|live)_/.test(apiKey)) {
    const isTest = apiKey.startsWith('ap_test_');
    const [here, elsewhere, other] = isTest
      ? ['the sandbox', 'production', 'ap_live_']
      : ['production', 'the sandbox', 'ap_test_'];
    return `The key is for ${here}: ${elsewhere} has its own objects, which it cannot see. For those, use a key that begins with ${other}.`;
  }
  return null;
}

function aboutKey(apiKey: string, baseUrl: string): string {
  if (apiKey.startsWith('whsec_')) {
    return 'This is the secret of a webhook endpoint: an API key begins with ap_test_ or ap_live_.';
  }
  if (apiKey.startsWith('ey'))
    return 'The access token is not valid here: log in again. If that does not help, check the clocks of the identity provider and the API.';
  if (!/^ap_(test|live)_/.test(apiKey))
    return 'An API key begins with ap_test_ or ap_live_; this one does not.';
  return `The key is not known at ${baseUrl}: it has expired, was revoked or cut off, or belongs to another installation. Copy it again, or create one in the dashboard.`;
}

export function notThisApi(baseUrl: string): string {
  return `Something other than the API answered at ${baseUrl}: check the address, and any proxy in between.`;
}
