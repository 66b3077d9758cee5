/** Input and output of `hosted-checkout` commands, without an installation. */
import { expect, test } from '@jest/globals';
import { forwardUrl } from '../../../contract/webhook/forward-url.ts';
import { outcomeOf } from '../../../packages/node/cli/commands/buy.ts';

test.each([
  ['http://localhost:3000/x', 'http://localhost:3000/x'],
  ['https://shop.example/hooks', 'https://shop.example/hooks'],
  ['localhost:3000/x', 'http://localhost:3000/x'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000/'],
])('listen --forward %s posts to %s', (given, url) => expect(forwardUrl(given)).toBe(url));

test.each(['ftp://localhost/x', 'file:///etc/passwd', ':3000', '/hooks', 'not a url', ''])(
  'listen --forward %j is refused immediately',
  (given) => expect(forwardUrl(given)).toBeNull(),
);

const bought = { id: 'ap_chk_1', failureReason: null, attempts: 1 } as const;
test.each([
  [{ ...bought, state: 'succeeded' }, 'ap_chk_1: succeeded after 1 attempt.'],
  [
    { ...bought, state: 'created' },
    'ap_chk_1: declined after 1 attempt. The checkout can still be paid with another card.',
  ],
  [{ ...bought, state: 'created', attempts: 0 }, 'ap_chk_1: created after 0 attempts.'],
  [
    { ...bought, state: 'failed', failureReason: 'attempts_exhausted', attempts: 5 },
    'ap_chk_1: failed (attempts_exhausted) after 5 attempts.',
  ],
] as const)('buy reports %j as: %s', (report, said) => expect(outcomeOf(report)).toBe(said));
