/**
 * `npm run ops -- <command>`: operator commands. The table below lists each one's file in `bin/ops/`. Without
 * DATABASE_URL, they use this folder's running `npm start`.
 */

import { printPlainly } from '../contract/core/plain-output.ts';
import { openPool } from '../db/core/pool.ts';
import { SecretBox } from '../platform/secrets/secret-box.ts';
import { openTemporal } from '../platform/temporal/client.ts';
import { readOpsToken } from './config/read.ts';
import { actorOf } from './ops/actor.ts';
import { attempts } from './ops/attempts.ts';
import { audit } from './ops/audit.ts';
import { type OpsCommand, WrongArguments } from './ops/command.ts';
import { readOpsConfig } from './ops/config.ts';
import { keyCreate, merchantCreate, priceCreate, productCreate } from './ops/create.ts';
import { eraseCustomerCommand, exportCustomerCommand } from './ops/customer.ts';
import { deployAbandon, deployCurrent, deployList, deployRamp } from './ops/deploy.ts';
import { follow } from './ops/follow.ts';
import { health } from './ops/health.ts';
import { importCommand } from './ops/import.ts';
import { incidentClose } from './ops/incident-close.ts';
import { list } from './ops/list.ts';
import { locks } from './ops/locks.ts';
import * as operate from './ops/operate.ts';
import { queues } from './ops/queues.ts';
import { pauseRailCommand, resumeRailCommand } from './ops/rail/breaker.ts';
import { railCheck } from './ops/rail/check.ts';
import { railList } from './ops/rail/list.ts';
import { railSet } from './ops/rail/set.ts';
import { restored, restoredSettle } from './ops/restored.ts';
import { rotateSecretsKey } from './ops/rotate-secrets-key.ts';
import { sweep } from './ops/sweep.ts';
import { search, why } from './ops/why.ts';

const COMMANDS: Readonly<Record<string, OpsCommand>> = {
  list,
  why,
  search,
  health,
  attempts,
  queues,
  locks,
  sweep,
  'incident close': incidentClose,
  follow,
  ask: operate.ask,
  resolve: operate.resolve,
  confirm: operate.confirmCommand,
  withdraw: operate.withdrawCommand,
  audit,
  'export-customer': exportCustomerCommand,
  'erase-customer': eraseCustomerCommand,
  'stop-merchant': operate.stopMerchant,
  'start-merchant': operate.startMerchant,
  'endpoint pause': operate.endpointPause,
  'endpoint resume': operate.endpointResume,
  'endpoint redeliver': operate.endpointRedeliver,
  'endpoint recover': operate.endpointRecover,
  restored,
  'restored settle': restoredSettle,
  returned: operate.returned,
  'rotate-secrets-key': rotateSecretsKey,
  'dispute close': operate.disputeClose,
  'pause-rail': pauseRailCommand,
  'resume-rail': resumeRailCommand,
  'deploy list': deployList,
  'deploy current': deployCurrent,
  'deploy ramp': deployRamp,
  'deploy abandon': deployAbandon,
  'merchant create': merchantCreate,
  'key create': keyCreate,
  'product create': productCreate,
  'price create': priceCreate,
  import: importCommand,
  'rail check': railCheck,
  'rail list': railList,
  'rail set': railSet,
};

/** Former names of commands. */
const ALIASES: Readonly<Record<string, string>> = { 'needs-attention': 'list' };

printPlainly();
const [given = '', second = '', ...others] = process.argv.slice(2);
const name = ALIASES[given] ?? given;
const ofTwoWords = COMMANDS[`${name} ${second}`];
const command = ofTwoWords ?? COMMANDS[name];
const args = ofTwoWords ? others : process.argv.slice(3);
if (!command || args.includes('--help')) {
  const family = Object.keys(COMMANDS).filter((each) => each.startsWith(`${name} `));
  if (!command && name && name !== '--help')
    console.error(`${family.length > 0 ? 'Incomplete' : 'Unknown'} command: ${name}.\n`);
  console.log(helpOf(...(command ? [command] : allOf(family))));
  process.exit(command || !name || name === '--help' ? 0 : 2);
}

try {
  process.exitCode = await run(command);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof WrongArguments) console.error(helpOf(command));
  process.exitCode = error instanceof WrongArguments ? 2 : 1;
}
// The connection to Temporal is never closed: its client retries calls after their deadline, and throws on a closed one.
process.stdout.write('', () => process.exit());

async function run({ check, run: runCommand, withoutDatabase }: OpsCommand): Promise<number> {
  check?.(args);
  const config = await readOpsConfig();
  const temporal = openTemporal(config.temporal);
  const { apiUrls } = config;
  const pool = await openPool({ url: config.databaseUrl, maxConnections: 2 }).catch((error: Error) => error);
  if (pool instanceof Error) {
    const problem = `No connection to PostgreSQL: ${pool.message}. Is DATABASE_URL right, and may this machine reach it?`;
    if (!withoutDatabase) throw new Error(problem);
    return withoutDatabase(args, { temporal, apiUrls }, problem);
  }
  try {
    return await runCommand(args, {
      pool,
      temporal,
      apiUrls,
      // Load it on use only: Stripe's package takes a fifth of a command's CPU time at start.
      rails: async () => (await import('./rails.ts')).createRails(config),
      session: config.session,
      links: config.links,
      secondPersonAbove: config.secondPersonAbove,
      actor: () => actorOf(readOpsToken(process.env), config.people),
      secretBox: () => {
        if (!config.secretsKey) throw new Error('Set SECRETS_KEY, which encrypts stored credentials.');
        return new SecretBox(config.secretsKey, config);
      },
      apiKeyPepper: () => {
        if (!config.apiKeyPepper) throw new Error('Set API_KEY_PEPPER, which the API keys are hashed with.');
        return config.apiKeyPepper;
      },
      env: process.env,
      input: process.stdin,
    });
  } finally {
    await pool.end().catch(() => {});
  }
}

/** @returns the commands with these names, or every command if none is given */
function allOf(names: readonly string[]): readonly OpsCommand[] {
  return Object.entries(COMMANDS).flatMap(([each, command]) =>
    names.length === 0 || names.includes(each) ? [command] : [],
  );
}

function helpOf(...commands: readonly OpsCommand[]): string {
  const [only, ...more] = commands;
  const usages = commands.map(({ usage, help }) => {
    // The first sentence, which may continue on the next line.
    const [summary] = more.length > 0 ? (help?.replaceAll('\n', ' ').split(/(?<=\.)\s|:\s{2}/) ?? []) : [];
    return `  npm run ops -- ${usage}${summary ? `\n      ${summary}` : ''}`;
  });
  const help = more.length === 0 && only?.help ? `\n\n${only.help}` : '';
  return `Usage:\n${usages.join('\n')}${help}\n\nEvery command accepts --json and --help.`;
}
