/**
 * Re-encrypts every value that is not encrypted under SECRETS_KEY and bound to its place (rule 39). The values
 * themselves show what is left, so an interrupted run continues where it stopped.
 */

import { SEALED_COLUMNS, type SealedColumnName, type SealedValue } from '../../db/core/encrypted-values.ts';
import type { Pool } from '../../db/core/pool.ts';
import type { SecretBox } from '../../platform/secrets/encryption.ts';
import * as places from '../../platform/secrets/places.ts';
import { confirmed } from './core/ask-to-confirm.ts';
import { audited } from './core/audited.ts';
import { type OpsCommand, parseOpsArgs } from './core/command.ts';

const BATCH = 200;
const PROGRESS_EVERY_MS = 1_000;

const PLACES: Readonly<Record<SealedColumnName, (row: string) => places.Place>> = {
  'rail_accounts.credential': places.railCredentialOf,
  'webhook_endpoints.secret': places.webhookSecretOf,
  'webhook_endpoints.previous_secret': places.webhookSecretOf,
  'clicks.method_token': places.methodTokenOf,
  'checkouts.page_token': (row) => places.pageTokenOf(Buffer.from(row, 'hex')),
  'subscriptions.credential_secret_ref': places.mandateOf,
  'payments.credential_secret_ref': places.mandateOf,
  'idempotency_keys.answer': (row) => {
    const [scope = '', key = ''] = JSON.parse(row) as string[];
    return places.pinnedAnswerOf(scope, key);
  },
};
const NAMES = Object.keys(SEALED_COLUMNS) as SealedColumnName[];

export const rotateSecretsKey: OpsCommand = {
  usage: 'rotate-secrets-key [--yes]',

  help: `Re-encrypts every stored secret under SECRETS_KEY, bound to its row.
Before: every API and worker has the new key in SECRETS_KEY and the old one in SECRETS_FORMER_KEYS, and so
does this command. It works in small steps while the service runs, shows its progress, and can be
interrupted at any time: the next run does the rest. When it reports that nothing is left, remove
SECRETS_FORMER_KEYS.
Asks for confirmation; --yes skips it, for scripts.
Exit code: 0 when everything is encrypted under SECRETS_KEY, 1 when something could not be decrypted or is left,
2 for invalid arguments.`,

  async run(args, context) {
    const { pool, secretBox, input } = context;
    const { values } = parseOpsArgs(args, 0, {
      yes: { type: 'boolean', default: false },
    });
    const box = secretBox();
    const total = await leftIn(pool, box);
    const question = `Re-encrypt ${total} values under SECRETS_KEY?`;
    if (total > 0 && !(await confirmed(question, input, values.yes))) return 1;
    // Written in advance, because the next run continues an interrupted one.
    if (total > 0)
      await audited(context, {
        action: 'secrets_key.rotate',
        subjectId: 'SECRETS_KEY',
        after: { left: total },
      });
    const showProgress = progress(total);
    const failed: string[] = [];
    let done = 0;
    for (const name of NAMES) {
      for await (const result of resealed(pool, box, name)) {
        if (result.error === undefined) done += 1;
        else failed.push(`${name} of ${result.row}: ${result.error}`);
        showProgress(done);
      }
    }
    const left = await leftIn(pool, box);
    if (values.json) console.log(JSON.stringify({ sealed: total - left, left, failed }));
    else console.log(summary(total - left, left, failed));
    return left === 0 ? 0 : 1;
  },
};

async function* resealed(pool: Pool, box: SecretBox, name: SealedColumnName) {
  const column = SEALED_COLUMNS[name];
  for (let after = ''; ; ) {
    const batch = await column.list(pool, { header: box.header, after, limit: BATCH });
    for (const value of batch) yield { row: value.row, error: await reseal(pool, box, name, value) };
    const last = batch.at(-1);
    if (!last) return;
    after = last.at;
  }
}

/** @returns why the value could not be decrypted; undefined if it was re-encrypted */
async function reseal(
  pool: Pool,
  box: SecretBox,
  name: SealedColumnName,
  value: SealedValue,
): Promise<string | undefined> {
  const place = PLACES[name](value.row);
  let plain: string;
  try {
    plain = box.open(value.sealed, place);
  } catch (error) {
    return (error as Error).message;
  }
  // A value written in the meantime either uses the current key or is counted as left.
  await SEALED_COLUMNS[name].replace(pool, value, box.seal(plain, place));
  return undefined;
}

async function leftIn(pool: Pool, box: SecretBox): Promise<number> {
  let left = 0;
  for (const name of NAMES) left += await SEALED_COLUMNS[name].count(pool, box.header);
  return left;
}

/** Goes to standard error: standard output holds only the result. */
function progress(total: number) {
  let shownAt = performance.now();
  return (done: number) => {
    if (performance.now() - shownAt < PROGRESS_EVERY_MS) return;
    shownAt = performance.now();
    console.error(`${done} of ${total} …`);
  };
}

function summary(done: number, left: number, failed: readonly string[]): string {
  const rest =
    left === 0
      ? 'Nothing is left under another key: remove SECRETS_FORMER_KEYS from every process.'
      : `${left} values are left. Run the command again; keep SECRETS_FORMER_KEYS until none is left.`;
  return [...failed, `${done} values were re-encrypted. ${rest}`].join('\n');
}
