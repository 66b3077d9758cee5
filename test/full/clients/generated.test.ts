/**
 * What merchants' generators make of the API description: clients that compile without an error of ours, and that buy
 * on the real service. The linter finds nothing, and clients of earlier releases go on working.
 */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { payAsBuyer } from '../../../sandbox/buyer/buyer.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { runTool } from '../../../sandbox/stack/process/tool.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';
import {
  DESCRIPTION,
  type Generate,
  lintDescription,
  type Program,
  withHeyApi,
  withOpenapiGenerator,
  withOpenapiTypescript,
  withPythonGenerator,
} from './generate.ts';
import { oasdiff } from './generator-tools.ts';

const DOCS = join(PROJECT_DIR, 'docs');
const RELEASED = readdirSync(DOCS).filter((name) => /^openapi-\d.*\.json$/.test(name));
/** The tools are installed by the first run on a machine. */
const PATIENCE_MS = 600_000;

let stack: TestStack;
let workDir: string;
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'checkout-test-generated-'));
  stack = await startStack({ parts: ['rail', 'api', 'worker'], refunds: true });
}, 120_000);
afterAll(async () => {
  await Promise.all([stack?.stop(), rm(workDir, { recursive: true, force: true })]);
});

test.each<[string, Generate]>([
  ['openapi-typescript', withOpenapiTypescript],
  ['@hey-api/openapi-ts', withHeyApi],
  ['openapi-python-client', withPythonGenerator],
  ['OpenAPI Generator for Go', withOpenapiGenerator],
])(
  'a client made by %s buys and refunds',
  async (_name, generate) => {
    const dir = await mkdtemp(join(workDir, 'client-'));
    expect(await bought(await generate(dir))).toEqual({
      state: 'succeeded',
      refunded: 100,
      refusal: 'refund_amount_exceeds_payment',
      price: 1_900,
    });
  },
  PATIENCE_MS,
);

/** Runs a program that prints the page's address, waits for a line, and prints what came of it. */
async function bought({ command, args }: Program): Promise<unknown> {
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    PYTHONDONTWRITEBYTECODE: '1',
    API_URL: stack.apiUrl,
    API_KEY: stack.merchant.apiKey,
    PRODUCT: stack.products.oneTime,
  };
  const child = spawn(command, args, { env });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the client ended:\n${said}`);
    return value;
  };
  try {
    await payAsBuyer({ hostedUrl: await line() });
    child.stdin.write('paid\n');
    return JSON.parse(await line());
  } finally {
    child.kill();
  }
}

test('the linter finds nothing in the description', lintDescription, PATIENCE_MS);

test.each(RELEASED)(
  'clients made from %s go on working',
  async (released) => {
    const program = await oasdiff();
    const compare = async (changed: Description) =>
      runTool(program, [
        'breaking',
        '--fail-on',
        'WARN',
        await written('before.json', await described(join(DOCS, released))),
        await written('now.json', changed),
      ]);
    const now = await described(DESCRIPTION);
    await compare(now);
    delete now.components.schemas.CheckoutSession?.properties.hostedUrl;
    await expect(compare(now)).rejects.toThrow('hostedUrl');
  },
  PATIENCE_MS,
);

interface Description {
  readonly paths: Record<string, Record<string, { readonly tags: readonly string[] }>>;
  readonly components: { readonly schemas: Record<string, { properties: Record<string, unknown> }> };
}

/** Without the dashboard's routes, which change with the dashboard that is deployed beside them. */
async function described(file: string): Promise<Description> {
  const description: Description = JSON.parse(await readFile(file, 'utf8'), withoutOperatorsKinds);
  for (const methods of Object.values(description.paths)) {
    for (const [method, { tags }] of Object.entries(methods)) {
      if (tags.includes('Dashboard')) delete methods[method];
    }
  }
  return description;
}

/** Operator enums, the kinds of incidents and of their subjects, grow with each release (docs/operations.md). */
function withoutOperatorsKinds(key: string, value: unknown): unknown {
  const includes = (kind: string) => Array.isArray(value) && value.includes(kind);
  return key === 'enum' && (includes('orphaned_charge') || includes('rail_account')) ? undefined : value;
}

async function written(name: string, description: Description): Promise<string> {
  const file = join(workDir, name);
  await writeFile(file, JSON.stringify(description));
  return file;
}
