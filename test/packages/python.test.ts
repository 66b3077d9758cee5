/** The Python client sends no number that is not finite, and accepts none in verification. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { pythonEnvironment } from '../support/tool/python.ts';

const run = promisify(execFile);

/** Prints the exception of each call. The address is closed: a request that is sent raises a different error. */
const PROGRAM = `
import datetime, hashlib, hmac, math
from hosted_checkout import HostedCheckout, verify_webhook

SECRET = "whsec_" + "0" * 64
DECADE = 315360000

def raised(call):
    try:
        call()
        print("nothing")
    except Exception as error:
        print(type(error).__name__ + ": " + str(error).split(":")[0])

client = HostedCheckout("ap_test_1", base_url="http://127.0.0.1:9", max_attempts=1)
signature = "t=1790000000,v1=" + hmac.new(SECRET.encode(), b"1790000000.{}", hashlib.sha256).hexdigest()
def verify(**options):
    verify_webhook(raw_body="{}", signature=signature, secret=SECRET, **options)

for value in (math.nan, math.inf):
    raised(lambda: client.create_refund({"paymentId": "ap_pay_1", "nested": [{"amount": value}]}))
    raised(lambda: verify(now_seconds=1790000000 + DECADE, tolerance_seconds=value))
    raised(lambda: verify(now_seconds=value))
raised(lambda: verify(now_seconds=1790000000))
`;

test('the Python client rejects numbers that are not finite', async () => {
  const environment = await pythonEnvironment('python-httpx-0.28.1', ['httpx==0.28.1']);
  const { stdout } = await run(join(environment, 'bin/python'), ['-c', PROGRAM], {
    env: { ...process.env, PYTHONPATH: join(PROJECT_DIR, 'packages/python/src') },
  });
  const perValue = [
    'ValueError: Out of range float values are not JSON compliant',
    'ValueError: tolerance_seconds and now_seconds must be finite numbers',
    'ValueError: tolerance_seconds and now_seconds must be finite numbers',
  ];
  expect(stdout.trim().split('\n')).toEqual([...perValue, ...perValue, 'nothing']);
});
