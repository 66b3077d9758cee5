import { afterEach, expect, jest, test } from '@jest/globals';
import { ProviderUnavailable, providerKeys } from '../../../../api/http/authentication/identity-provider.ts';

afterEach(() => void jest.restoreAllMocks());

test('keys that an https issuer offers over http are not fetched', async () => {
  const issuer = 'https://login.example';
  const fetched = jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () =>
      Response.json({ issuer, jwks_uri: 'http://login.example/jwks', keys: [] }),
    );
  const token = { payload: '', signature: '' };
  await expect(providerKeys({ issuer })({ alg: 'ES256', kid: '1' }, token)).rejects.toThrow(
    ProviderUnavailable,
  );
  expect(fetched).toHaveBeenCalledTimes(1);
});
