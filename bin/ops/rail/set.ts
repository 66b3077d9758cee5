/**
 * Sets up a merchant's rail account, or replaces its keys. Keys come from the environment or standard input, never
 * from arguments, which other users of the machine can see.
 */
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { setRailAccount } from '../../../api/merchant/rail-accounts/account-changes.ts';
import type { Actor } from '../../../db/core/audit.ts';
import { findMerchantStatus } from '../../../db/merchant/merchants.ts';
import { ENVIRONMENTS } from '../../../domain/core/environment.ts';
import type { Rail } from '../../../rail/rail.ts';
import type { RailCredentialField } from '../../../rail/rail-account.ts';
import {
  type OpsCommand,
  type OpsContext,
  parseOpsArgs,
  WrongArguments,
  wrongOption,
} from '../core/command.ts';
import { printProbe } from './findings.ts';

const options = z.object({ environment: z.enum(ENVIRONMENTS), rail: z.string(), replace: z.boolean() });

export const railSet: OpsCommand = {
  usage: 'rail set <ap_mer_…> --environment sandbox|production --rail <name> [--replace]',

  help: `Sets up the merchant's account at the rail, or replaces its keys; keys that are not given stay unchanged.
Probes the account at the processor and prints the findings; the account cannot sell until it can take
cards. Keys are stored encrypted and never shown.

Keys are read from the environment, or as one JSON object from standard input, never from arguments. Run the
command without keys to list the variables and the names in JSON. "rail list" shows the merchant's environments
and rails. Needs SECRETS_KEY unless "npm start" is running.

  --replace   switches to a different account: the current one is disabled, but its open payments are looked up;
              subscriptions whose cards it holds need another payment method at their next renewal

In production, with SECOND_PERSON_ABOVE set, another person first confirms a replacement or a change of stored
keys; then run the command again with the same keys. That needs API_KEY_PEPPER, too.

Exit code: 0 if the account can take money, 1 if not, 2 for invalid arguments or missing keys.`,

  async run(args, ops) {
    const { pool, rails, secretBox, env, input } = ops;
    const { values, positionals } = parseOpsArgs(args, 1, {
      environment: { type: 'string' },
      rail: { type: 'string' },
      replace: { type: 'boolean', default: false },
    });
    const [merchantId] = positionals;
    if (!merchantId) throw new WrongArguments('A merchant id (ap_mer_…) is required.');
    const given = options.safeParse(values);
    if (!given.success) {
      throw wrongOption(given.error, values);
    }
    const { environment, rail: name, replace } = given.data;
    if (!(await findMerchantStatus(pool, merchantId))) {
      console.error(`Merchant ${merchantId} does not exist.`);
      return 1;
    }
    const context = {
      pool,
      rails: await rails(),
      secretBox: secretBox(),
      secondPersonAbove: ops.secondPersonAbove,
      apiKeyPepper: ops.apiKeyPepper,
    };
    const rail = context.rails.get(name);
    const credential = rail && (await readCredential(rail, env, input));
    if (!credential || Object.keys(credential).length === 0) {
      console.error(
        rail ? whatIsNeeded(rail) : `Unknown rail ${name}. Available: ${settable(context.rails)}.`,
      );
      return 2;
    }
    const scope = { merchantId, environment };
    const answer = await setRailAccount(context, {
      scope,
      rail: name,
      credential,
      ...(await operating(ops)),
      replace,
    });
    if (answer.kind === 'refused') {
      console.error(answer.why.replaceAll('(replace)', '(--replace)'));
      return 1;
    }
    const { accountId, status, probe } = answer;
    printProbe({ accountId, status, probe, json: values.json, rail: name });
    return probe.usable ? 0 : 1;
  },
};

/** Returns the actor, and the time limit for the processor while a person waits at a terminal. */
export async function operating({
  actor,
}: OpsContext): Promise<{ readonly actor: Actor; readonly timeoutMs: number }> {
  return { actor: { actor: await actor() }, timeoutMs: 60_000 };
}

/** Reads the rail's variables; if none is set, a JSON object from standard input. */
async function readCredential(
  { credentialFields = [] }: Rail,
  env: NodeJS.ProcessEnv,
  input: OpsContext['input'],
): Promise<Readonly<Record<string, string>>> {
  const fromEnv = fieldsIn(credentialFields, ({ environmentVariable }) => env[environmentVariable]);
  if (Object.keys(fromEnv).length > 0 || input.isTTY) return fromEnv;
  const typed = z.record(z.string(), z.string()).safeParse(parseJson(await text(input)));
  const values = typed.data ?? {};
  return fieldsIn(
    credentialFields,
    ({ name, environmentVariable }) => values[environmentVariable] ?? values[name],
  );
}

function fieldsIn(
  fields: readonly RailCredentialField[],
  readField: (field: RailCredentialField) => string | undefined,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = readField(field)?.trim();
      return value ? [[field.name, value]] : [];
    }),
  );
}

function parseJson(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return null;
  }
}

function whatIsNeeded({ name, credentialFields }: Rail): string {
  if (!credentialFields) return `Accounts at ${name} cannot be set up by this command.`;
  const lines = credentialFields.map(
    ({ name: key, environmentVariable, description }) => `  ${environmentVariable}  "${key}"  ${description}`,
  );
  return [
    'Pass the keys in these variables, or on standard input as a JSON object with these names:',
    ...lines,
  ].join('\n');
}

function settable(rails: ReadonlyMap<string, Rail>): string {
  return [...rails.values()].flatMap(({ name, probe }) => (probe ? [name] : [])).join(', ');
}
