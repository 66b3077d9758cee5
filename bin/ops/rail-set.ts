/**
 * Gives a merchant an account at a rail, or new keys to the one they have. Keys come from the environment or
 * from standard input, never from the command line, which others can see.
 */
import { userInfo } from 'node:os';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { setRailAccount } from '../../api/rail-accounts.ts';
import type { Actor } from '../../db/audit.ts';
import { ENVIRONMENTS } from '../../domain/environment.ts';
import type { Rail, RailCredentialField } from '../../rail/rail.ts';
import type { OpsCommand, OpsContext } from './command.ts';
import { printProbe } from './rail-findings.ts';

const options = z.object({ environment: z.enum(ENVIRONMENTS), rail: z.string(), replace: z.boolean() });

export const railSet: OpsCommand = {
  usage: 'rail set <ap_mer_…> --environment sandbox|production --rail stripe [--replace]',

  async run(args, { pool, rails, secretBox, env, input }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        environment: { type: 'string' },
        rail: { type: 'string' },
        replace: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const [merchantId] = positionals;
    const given = options.safeParse(values);
    if (!merchantId || !given.success) {
      console.error(`Usage: npm run ops -- ${railSet.usage}`);
      return 2;
    }
    const { environment, rail: name, replace } = given.data;
    const context = { pool, rails: rails(), secretBox: secretBox() };
    const rail = context.rails.get(name);
    const credential = rail && (await readCredential(rail, env, input));
    if (!credential || Object.keys(credential).length === 0) {
      console.error(whatIsNeeded(name, rail));
      return 2;
    }
    const scope = { merchantId, environment };
    const answer = await setRailAccount(context, {
      scope,
      rail: name,
      credential,
      actor: operator(),
      replace,
    });
    if (answer.kind === 'refused') {
      console.error(answer.why);
      return 1;
    }
    const { accountId, status, probe } = answer;
    printProbe({ accountId, status, probe, json: values.json, rail: name });
    return probe.usable ? 0 : 1;
  },
};

export function operator(): Actor {
  return { actor: `operator:${userInfo().username}` };
}

/** From the variables that the rail names; where none is set, a JSON object on standard input. */
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

function whatIsNeeded(name: string, rail: Rail | undefined): string {
  if (!rail?.credentialFields) return `There is no rail "${name}" here whose accounts can be set.`;
  const lines = rail.credentialFields.map(
    ({ environmentVariable, description }) => `  ${environmentVariable}  ${description}`,
  );
  return ['Give the keys in the environment, or as a JSON object on standard input:', ...lines].join('\n');
}
