import { afterEach, expect, jest, test } from '@jest/globals';
import { logInInBrowser } from '../../../packages/node/cli/core/browser-log-in.ts';

afterEach(() => void jest.restoreAllMocks());
const issuer = 'https://login.example';
const GOOD = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };

test.each([
  'file:///etc/passwd',
  'smb://evil.example/x',
  'ms-msdt:/id',
  'javascript:1',
  'http://evil.example/',
])(
  'a provider that sends the person or the code to %s is rejected, and nothing is opened',
  async (address) => {
    for (const endpoint of Object.keys(GOOD)) {
      const provider = { issuer, ...GOOD, [endpoint]: address };
      jest
        .spyOn(globalThis, 'fetch')
        .mockImplementation(async (url) =>
          Response.json(
            String(url).endsWith('config.json') ? { logIn: { issuer, audience: '', scope: '' } } : provider,
          ),
        );
      const shown: string[] = [];
      await expect(logInInBrowser('https://pay.example', 'cli', (url) => shown.push(url))).rejects.toThrow(
        'which is not allowed',
      );
      expect(shown).toEqual([]);
    }
  },
);
