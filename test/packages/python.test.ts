/** The Python client: finite numbers only, keyword arguments, attributes. */
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
    raised(lambda: client.merchants.products.create("ap_mer_1", name="x", metadata={"nested": [value]}))
    raised(lambda: verify(now_seconds=1790000000 + DECADE, tolerance_seconds=value))
    raised(lambda: verify(now_seconds=value))
raised(lambda: verify(now_seconds=1790000000))
`;

/** A transport that answers with the request that it got. */
const ATTRIBUTES = `
import httpx, json
from hosted_checkout import HostedCheckout, as_dict

PAYMENT = {"id": "ap_pay_1", "type": "payment.succeeded", "payment": {"amount": 5}, "metadata": {"items": "b"}, "from": "x"}

def answer(request):
    print(request.method, request.url.raw_path.decode(), request.content.decode())
    return httpx.Response(200, json={"data": [PAYMENT], "next_cursor": None})

client = HostedCheckout("ap_test_1", base_url="https://pay.example", http_client=httpx.Client(transport=httpx.MockTransport(answer)))
client.checkouts.create(productId="p", externalCustomerId="c", customer={"email": None})
client.subscriptions.cancel("ap_sub/1", idempotency_key="k")
page = client.merchants.search.payments("ap_mer_1", from_="2026-01-01T00:00:00Z", limit=5)
[row] = page.data
print(row.payment.amount, row.metadata["items"], row.from_, row.invoice, json.dumps(as_dict(page)) == json.dumps({"data": [PAYMENT], "next_cursor": None}))
for call in (lambda: client.checkouts.create(product_id="p"), lambda: client.create_checkout, lambda: row.amout, lambda: row["id"]):
    try:
        call()
    except (TypeError, AttributeError) as error:
        print(type(error).__name__, error)
`;

test('the Python client accepts keyword arguments and returns attributes, spelled as in the API', async () => {
  expect((await python(ATTRIBUTES)).split('\n')).toEqual([
    'POST /v1/checkouts {"productId": "p", "externalCustomerId": "c", "customer": {"email": null}}',
    'POST /v1/subscriptions/ap_sub%2F1/cancel {}',
    'GET /v1/merchants/ap_mer_1/search/payments?limit=5&from=2026-01-01T00%3A00%3A00Z ',
    '5 b x None True',
    expect.stringMatching(/^TypeError .*unexpected keyword argument 'product_id'/),
    "AttributeError 'HostedCheckout' object has no attribute 'create_checkout'",
    'AttributeError this object of the API has no amout: its fields are id, type, payment, metadata, from_',
    "TypeError 'Object' object is not subscriptable",
  ]);
});

test('the Python client rejects numbers that are not finite', async () => {
  const perValue = [
    'ValueError: Out of range float values are not JSON compliant',
    'ValueError: tolerance_seconds and now_seconds must be finite numbers',
    'ValueError: tolerance_seconds and now_seconds must be finite numbers',
  ];
  expect((await python(PROGRAM)).split('\n')).toEqual([...perValue, ...perValue, 'nothing']);
});

/** Without the check, each call would reach another operation, lose its key or verify with a part of a secret. */
const REFUSED = `
from hosted_checkout import HostedCheckout, verify_webhook

client = HostedCheckout("ap_test_1", base_url="http://127.0.0.1:1", max_attempts=1)
def raised(call):
    try:
        call()
        print("nothing")
    except Exception as error:
        print(type(error).__name__ + ":", str(error).replace(chr(10), "")[:30])

for wrong in ("", ".", "..", None):
    raised(lambda: client.merchants.products.update("ap_mer_1", wrong, status="inactive"))
for key in ("", " ", " a", "a "):
    raised(lambda: client.refunds.create(paymentId="ap_pay_1", idempotency_key=key))
for address in ("https://pay.example:80a", "https://pay.example\\n", "pay.example", "https://"):
    raised(lambda: HostedCheckout("ap_test_1", base_url=address))
for secret in ("whsec_", "whsec_a b"):
    raised(lambda: verify_webhook(raw_body="{}", signature="t=1,v1=" + "0" * 64, secret=secret))
`;

test('the Python client refuses a missing id, a key that ends with a space, a malformed address and a part of a secret', async () => {
  expect((await python(REFUSED)).split('\n')).toEqual([
    "ValueError: An id is missing: ''.",
    "ValueError: An id is missing: '.'.",
    "ValueError: An id is missing: '..'.",
    'ValueError: An id is missing: None.',
    ...Array(4).fill('ValueError: idempotency_key must be 1 to 2'),
    'ValueError: https://pay.example:80a is not',
    'ValueError: https://pay.example is not an ',
    'ValueError: pay.example is not an installa',
    'ValueError: https:// is not an installatio',
    ...Array(2).fill('ValueError: secret must be the whole secre'),
  ]);
});

const NOT_FOUND = `
import httpx
from hosted_checkout import HostedCheckout

for kind in ("merchant", "offering", "plan", "price", "product", "subscription_change", "payment"):
    refused = httpx.Response(404, json={"code": kind + "_not_found", "message": "It does not exist."})
    transport = httpx.MockTransport(lambda request: refused)
    client = HostedCheckout("ap_test_1", base_url="https://pay.example", http_client=httpx.Client(transport=transport))
    try:
        client.orders.list(max_attempts=1)
    except Exception as error:
        print(kind, "ap_live_" in str(error))
`;

test('the Python client mentions the other environment only for objects that belong to one', async () => {
  expect((await python(NOT_FOUND)).split('\n')).toEqual([
    'merchant False',
    'offering False',
    'plan False',
    'price False',
    'product False',
    'subscription_change False',
    'payment True',
  ]);
});

async function python(program: string): Promise<string> {
  const environment = await pythonEnvironment('python-httpx-0.28.1', ['httpx==0.28.1']);
  const { stdout } = await run(join(environment, 'bin/python'), ['-c', program], {
    env: { ...process.env, PYTHONPATH: join(PROJECT_DIR, 'packages/python/src') },
  });
  return stdout.trim();
}
