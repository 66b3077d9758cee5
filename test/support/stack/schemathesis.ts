/** Runs Schemathesis, which generates requests from the API description and checks the responses against it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startForeignPart } from '../../../sandbox/stack/process/part.ts';
import { pythonEnvironment } from '../tool/python.ts';
import type { TestStack } from './stack.ts';

const VERSION = '4.32.5';
/** One worker per process, because Python 3.11's parser fails at random when two threads use it. */
const ONE_AFTER_ANOTHER = ['--workers', '1'];

/**
 * Validity here depends on more than the schema: stored facts, another field, a signature, a cursor that only a list
 * returns, which addresses are allowed, that no API key is sent along, that a person must name the environment that a
 * key implies, that an instant lies in the future, which time zones exist, which characters invoices can print.
 * These operations may therefore reject a request that matches the schema; all other checks apply to them.
 */
const VALID_DEPENDS = [
  'createRefund',
  'createManualCharge',
  'createProduct',
  'updateProduct',
  'createPrice',
  'updatePrice',
  'changePlan',
  'previewPlanChange',
  'previewSubscriptionChange',
  'moveSubscriptionTrial',
  'advanceSubscriptionClock',
  'receiveRailWebhook',
  'listWebhookEvents',
  'listWebhookAttempts',
  'recoverWebhookEndpoint',
  'createWebhookEndpoint',
  'updateWebhookEndpoint',
  'createApiKey',
  'createStorefrontClient',
  'updateStorefrontClient',
  'createStorefrontSession',
  'showStorefrontConfig',
  'createCoupon',
  'createPriceMove',
  'previewPriceMove',
  'createOffering',
  'updateOffering',
  'setRailAccount',
  'updateMerchant',
  'updateMerchantSettings',
  'createMerchant',
  'previewBranding',
  'showOverview',
  'exportPayments',
  'searchPayments',
  'searchCheckouts',
  'searchCustomers',
  'searchInvoices',
  'searchCreditNotes',
  'searchSubscriptions',
  'searchProducts',
  'exportCheckouts',
  'exportInvoices',
  'exportCreditNotes',
  'showTaxSummary',
  'exportTaxSummary',
  'exportSubscriptions',
  'linkMethodChange',
  'linkInvoice',
  'searchRefunds',
  'exportRefunds',
  'searchDisputes',
  'exportDisputes',
];

/**
 * Like `VALID_DEPENDS`, but may also answer 503: the rail account lacks what the request needs, such as a wallet.
 */
const RAIL_MAY_LACK = ['createCheckout', 'changePaymentMethod'];

/** These revoke the key that the other requests use, so they run last and alone. */
const KEY_KILLERS = ['revokeApiKey', 'rotateApiKey'];

interface SchemathesisRun {
  readonly phases: string;
  readonly seconds: number;
  readonly seed: number;
  /** The operations to call; if absent, all except those that revoke the key. */
  readonly only?: readonly string[];
}

/** @throws an Error with the finding and how to reproduce it */
async function runSchemathesis(stack: TestStack, run: SchemathesisRun): Promise<void> {
  const command = join(
    await pythonEnvironment(`schemathesis-${VERSION}`, [`schemathesis==${VERSION}`]),
    'bin/python',
  );
  const workDir = await mkdtemp(join(tmpdir(), 'checkout-test-schemathesis-'));
  const named = run.only ?? KEY_KILLERS;
  const args = [
    '-m',
    'schemathesis.cli',
    '--config-file',
    join(workDir, 'schemathesis.toml'),
    'run',
    `${stack.apiUrl}/openapi.json`,
    '--url',
    stack.apiUrl,
    '--continue-on-failure',
    '--warnings',
    'off',
    '--no-color',
    '--phases',
    run.phases,
    '--max-time',
    `${run.seconds}`,
    '--seed',
    `${run.seed}`,
    ...ONE_AFTER_ANOTHER,
    ...named.flatMap((id) => [run.only ? '--include-operation-id' : '--exclude-operation-id', id]),
  ];
  try {
    await writeFile(join(workDir, 'schemathesis.toml'), await configuration(stack));
    await writeFile(join(workDir, 'hooks.py'), ONLY_TEXT);
    const said: string[] = [];
    const onLine = (line: string) => void said.push(line);
    const part = startForeignPart({ name: 'schemathesis', command, args, cwd: workDir, onLine });
    const { code } = await part.exited;
    if (code !== 0) throw new Error(`Schemathesis ended with ${code}:\n${said.join('\n')}`);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/**
 * Runs everything: cases that the description determines, in parallel with generated requests, each for at most
 * `seconds`. A run reads the whole description first, so further runs are few and long, two at a time.
 * @param enough whether to stop; until it returns true, generated requests continue
 */
export async function runAllOfSchemathesis(
  stack: TestStack,
  seconds: number,
  seed: number,
  enough = () => true,
): Promise<void> {
  const halves = await Promise.allSettled([
    runSchemathesis(stack, { phases: 'examples,coverage', seconds, seed }),
    runSchemathesis(stack, { phases: 'fuzzing,stateful', seconds, seed }),
  ]);
  const found = halves.flatMap((half) => (half.status === 'rejected' ? [half.reason.message] : []));
  if (found.length > 0) throw new Error(found.join('\n\n'));
  for (let next = seed + 1; !enough(); next += 2) {
    const round = { phases: 'fuzzing', seconds: 60 };
    await Promise.all([next, next + 1].map((each) => runSchemathesis(stack, { ...round, seed: each })));
  }
  await runSchemathesis(stack, { phases: 'examples,fuzzing', seconds: 5, seed, only: KEY_KILLERS });
}

/**
 * Replaces what the API refuses and no pattern of the description can name: unassigned and private-use characters of
 * generated strings, and years before 1970. 400 years later the same days exist.
 */
const ONLY_TEXT = `
import re, unicodedata, schemathesis

def since_1970(year):
    return f"{int(year[0]) + 400 * ((2369 - int(year[0])) // 400):04d}" if int(year[0]) < 1970 else year[0]

def only_text(value):
    if isinstance(value, str):
        text = "".join("x" if unicodedata.category(each) in ("Cn", "Co") else each for each in value)
        return re.sub(r"^[0-9]{4}(?=-[0-9]{2}-[0-9]{2}T)", since_1970, text)
    if isinstance(value, list):
        return [only_text(each) for each in value]
    if isinstance(value, dict):
        return {only_text(key): only_text(each) for key, each in value.items()}
    return value

@schemathesis.hook
def map_body(context, body):
    return only_text(body)

@schemathesis.hook
def map_query(context, query):
    return only_text(query)
`;

async function configuration({ merchant, apiUrl, shopUrl, ownerToken }: TestStack): Promise<string> {
  const text = JSON.stringify;
  return `
hooks = "hooks.py"
[auth.openapi.apiKey]
bearer = ${text(merchant.apiKey)}
[auth.openapi.person]
bearer = ${text(await ownerToken())}
[parameters]
merchantId = ${text(merchant.id)}
publicId = "ap_pcl_00000000000000000000000000000001"
"header.Origin" = ${text(shopUrl || apiUrl)}
[[operations]]
include-operation-id = ${text(VALID_DEPENDS)}
checks.positive_data_acceptance.enabled = false
[[operations]]
include-operation-id = ${text(RAIL_MAY_LACK)}
checks.positive_data_acceptance.enabled = false
checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "503"]
`;
}
