/** The contract's driver for a running sandbox rail with its own database. */
import { createHmac, randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { RailAccount } from '../../rail/rail-account.ts';
import { createSandboxRail, SANDBOX_CAPABILITIES } from '../../rail/sandbox/index.ts';
import type { FaultMode } from '../../sandbox/rail/core/faults.ts';
import { TEST_CARDS } from '../../sandbox/rail/core/test-cards.ts';
import type { AccountInput } from '../../sandbox/rail/operations/account-config.ts';
import { startSandboxRail } from '../../sandbox/rail/server.ts';
import { freePort } from '../../sandbox/stack/core/ports.ts';
import { eventually } from '../support/core/eventually.ts';
import { createEmptyDatabase } from '../support/db/postgres.ts';
import { type Receiver, startReceiver } from '../support/server/receiver.ts';
import {
  accountOf,
  type CardBehaviour,
  type FaultKind,
  type RailDriver,
  type SentWebhook,
} from './contract/driver.ts';

const CARD_NAMES: Readonly<Record<CardBehaviour, string>> = {
  approved: 'approved',
  declined: 'declined',
  insufficientFunds: 'insufficient_funds',
  challenge: 'challenge_always',
  pending: 'pending_then_approved',
  laterNeedsBuyer: 'later_authentication_required',
  laterHardDecline: 'later_hard_decline',
  laterSoftDecline: 'later_soft_declines',
};

const FAULT_MODES: Readonly<Record<FaultKind, FaultMode>> = {
  dropBefore: 'drop-before',
  dropAfter: 'drop-after',
  serverError: '500',
  rateLimited: '429',
  lockTimeout: 'lock',
  truncated: 'truncate',
  garbage: 'garbage',
  slow: 'delay',
};

interface TestAccount {
  readonly ours: RailAccount;
  readonly theirs: AccountInput;
}

export async function startSandboxDriver(): Promise<RailDriver> {
  const database = await createEmptyDatabase();
  const receiver = await startReceiver();
  const { log, logs } = rememberingLog();
  const [main, other, disabled] = [
    testAccount('acct_main', receiver.url),
    testAccount('acct_other', receiver.url),
    testAccount('acct_disabled', receiver.url, 'disabled'),
  ];
  const server = await startSandboxRail({
    databaseUrl: database.url,
    accounts: [main.theirs, other.theirs, disabled.theirs],
    settleAfterMs: 150,
    log,
  });
  return {
    rail: createSandboxRail({ baseUrl: server.url }),
    unreachableRail: createSandboxRail({ baseUrl: `http://127.0.0.1:${await freePort()}` }),
    account: main.ours,
    otherAccount: other.ours,
    disabledAccount: disabled.ours,
    neverLogged: [
      ...[main, other, disabled].flatMap(({ theirs }) => [theirs.secret, theirs.webhookSecret ?? '']),
      ...TEST_CARDS.map(({ number }) => number),
    ],
    logs,

    ...booksAt(server.url),
    ...webhooksOf(receiver),
    sign,

    async token(behaviour) {
      const card = TEST_CARDS.find(({ name }) => name === CARD_NAMES[behaviour]);
      const details = { number: card?.number, expMonth: 12, expYear: 2040, cvc: '123' };
      const response = await postJson(`${server.url}/tokens`, { account: 'acct_main', ...details });
      const { token } = (await response.json()) as { token: string };
      return token;
    },

    async completeChallenge(url, result) {
      const response = await postJson(url, { result });
      if (response.status !== 303) throw new Error(`the challenge page answered ${response.status}`);
    },

    async callsReceived() {
      return ((await (await fetch(`${server.url}/requests`)).json()) as unknown[]).length;
    },

    async fault(operation, kind, { count = 1, delayMs = 0 } = {}) {
      server.faults.add({ operation, mode: FAULT_MODES[kind], count, delayMs });
    },

    async openDispute({ reference }) {
      await postJson(`${server.url}/admin/disputes`, { account: 'acct_main', reference });
    },
    async decideDispute({ reference }, status) {
      await postJson(`${server.url}/admin/disputes/decision`, { account: 'acct_main', reference, status });
    },

    async close() {
      await server.close();
      await receiver.stop();
      await database.drop();
    },
  };
}

function booksAt(url: string): Pick<RailDriver, 'charges' | 'refunds'> {
  const ledger = async () => (await (await fetch(`${url}/ledger`)).json()) as LedgerEntry[];
  return {
    async charges(reference) {
      const entries = (await ledger()).filter(({ operation }) => operation !== 'refund');
      return entries.filter((entry) => entry.reference === reference).map(({ amount }) => amount);
    },
    async refunds(references) {
      const entries = (await ledger()).filter(({ operation }) => operation === 'refund');
      return entries.filter(({ reference }) => references.includes(reference)).map(({ amount }) => amount);
    },
  };
}

function webhooksOf({ received }: Receiver): Pick<RailDriver, 'webhookAbout' | 'webhookAboutDispute'> {
  const webhook = (matches: (body: string) => boolean): Promise<SentWebhook> =>
    eventually(() => {
      const found = received.find(({ body }) => matches(body));
      if (!found) throw new Error('no such webhook yet');
      return {
        rawBody: Buffer.from(found.body),
        headers: { 'rail-signature': String(found.headers['rail-signature']) },
      };
    });
  return {
    webhookAbout: (reference) => webhook((body) => body.includes(`"${reference}"`)),
    webhookAboutDispute: ({ reference }) =>
      webhook((body) => body.includes('"dispute.') && body.includes(`"${reference}"`)),
  };
}

const sign: RailDriver['sign'] = (account, rawBody, unixSeconds) => {
  const hmac = createHmac('sha256', account.credential.webhookSecret ?? '');
  const digest = hmac.update(`${unixSeconds}.`).update(rawBody).digest('hex');
  return { 'rail-signature': `t=${unixSeconds},v1=${digest}` };
};

interface LedgerEntry {
  readonly reference: string;
  readonly operation: string;
  readonly amount: number;
}

function testAccount(id: string, webhookUrl: string, status: 'active' | 'disabled' = 'active'): TestAccount {
  const secret = `rail_secret_${randomBytes(16).toString('hex')}`;
  const webhookSecret = `rail_webhook_${randomBytes(16).toString('hex')}`;
  return {
    ours: accountOf('sandbox', id, SANDBOX_CAPABILITIES, { account: id, secret, webhookSecret }),
    theirs: { id, secret, status, webhookUrl, webhookSecret },
  };
}

function postJson(url: string, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'manual',
  });
}

function rememberingLog() {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: pino({ level: 'trace' }, stream), logs: () => lines.join('') };
}
