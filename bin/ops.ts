/**
 * `npm run ops -- <command>`: operator commands. The table below lists each one's file in `bin/ops/`. Without
 * DATABASE_URL, they use this folder's running `npm start`.
 */

import { printPlainly } from '../contract/core/plain-output.ts';
import { openPool } from '../db/core/pool.ts';
import { isStatementTimeout } from '../db/core/unavailable.ts';
import { SecretBox } from '../platform/secrets/encryption.ts';
import { openTemporal } from '../platform/temporal/client.ts';
import { readOpsToken } from './config/read.ts';
import { type OffDatabaseCommand, type OpsCommand, WrongArguments } from './ops/core/command.ts';
import { readOpsConfig } from './ops/core/config.ts';

type Command = OpsCommand | OffDatabaseCommand;

/** Each file is loaded on use: loading all of them would take a third of a command's CPU time. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  list: async () => (await import('./ops/list.ts')).list,
  why: async () => (await import('./ops/why.ts')).why,
  search: async () => (await import('./ops/why.ts')).search,
  health: async () => (await import('./ops/health.ts')).health,
  attempts: async () => (await import('./ops/attempts.ts')).attempts,
  queues: async () => (await import('./ops/queues.ts')).queues,
  locks: async () => (await import('./ops/locks.ts')).locks,
  sweep: async () => (await import('./ops/sweep.ts')).sweep,
  'incident close': async () => (await import('./ops/incident-close.ts')).incidentClose,
  follow: async () => (await import('./ops/follow.ts')).follow,
  ask: async () => (await import('./ops/operate.ts')).ask,
  resolve: async () => (await import('./ops/operate.ts')).resolve,
  confirm: async () => (await import('./ops/operate.ts')).confirmCommand,
  withdraw: async () => (await import('./ops/operate.ts')).withdrawCommand,
  audit: async () => (await import('./ops/audit.ts')).audit,
  'export-customer': async () => (await import('./ops/export-and-erase-customer.ts')).exportCustomerCommand,
  'erase-customer': async () => (await import('./ops/export-and-erase-customer.ts')).eraseCustomerCommand,
  'stop-merchant': async () => (await import('./ops/operate.ts')).stopMerchant,
  'start-merchant': async () => (await import('./ops/operate.ts')).startMerchant,
  'endpoint test': async () => (await import('./ops/endpoint-test.ts')).endpointTest,
  'endpoint pause': async () => (await import('./ops/operate.ts')).endpointPause,
  'endpoint resume': async () => (await import('./ops/operate.ts')).endpointResume,
  'endpoint redeliver': async () => (await import('./ops/operate.ts')).endpointRedeliver,
  'endpoint recover': async () => (await import('./ops/operate.ts')).endpointRecover,
  restored: async () => (await import('./ops/restored.ts')).restored,
  'restored settle': async () => (await import('./ops/restored.ts')).restoredSettle,
  returned: async () => (await import('./ops/operate.ts')).returned,
  'rotate-secrets-key': async () => (await import('./ops/rotate-secrets-key.ts')).rotateSecretsKey,
  'dispute close': async () => (await import('./ops/operate.ts')).disputeClose,
  credit: async () => (await import('./ops/operate.ts')).credit,
  'pause-rail': async () => (await import('./ops/operate.ts')).pauseRail,
  'resume-rail': async () => (await import('./ops/operate.ts')).resumeRail,
  'deploy list': async () => (await import('./ops/deploy.ts')).deployList,
  'deploy current': async () => (await import('./ops/deploy.ts')).deployCurrent,
  'deploy ramp': async () => (await import('./ops/deploy.ts')).deployRamp,
  'deploy abandon': async () => (await import('./ops/deploy.ts')).deployAbandon,
  'merchant create': async () => (await import('./ops/create.ts')).merchantCreate,
  'key create': async () => (await import('./ops/create.ts')).keyCreate,
  'product create': async () => (await import('./ops/create.ts')).productCreate,
  'price create': async () => (await import('./ops/create.ts')).priceCreate,
  import: async () => (await import('./ops/import.ts')).importCommand,
  'rail check': async () => (await import('./ops/rail/check.ts')).railCheck,
  'rail list': async () => (await import('./ops/rail/list.ts')).railList,
  'rail set': async () => (await import('./ops/rail/set.ts')).railSet,
};

printPlainly();
const [name = '', second = '', ...others] = process.argv.slice(2);
const ofTwoWords = COMMANDS[`${name} ${second}`];
const command = await (ofTwoWords ?? COMMANDS[name])?.();
const args = ofTwoWords ? others : process.argv.slice(3);
if (!command || args.includes('--help')) {
  const family = Object.keys(COMMANDS).filter((each) => each.startsWith(`${name} `));
  if (!command && name && name !== '--help')
    console.error(`${family.length > 0 ? 'Incomplete' : 'Unknown'} command: ${name}.\n`);
  console.log(helpOf(...(command ? [command] : await allOf(family))));
  process.exit(command || !name || name === '--help' ? 0 : 2);
}

try {
  process.exitCode = await run(command);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof WrongArguments) console.error(helpOf(command));
  process.exitCode = error instanceof WrongArguments ? 2 : 1;
}
// The Temporal connection is never closed: its client retries calls after their deadline, and throws on a closed one.
process.stdout.write('', () => process.exit());

async function run(command: Command): Promise<number> {
  command.check?.(args);
  const config = await readOpsConfig();
  const temporal = openTemporal(config.temporal);
  const { processes } = config;
  if ('runOffDatabase' in command) return command.runOffDatabase(args, { temporal, processes });
  const pool = await openPool({ url: config.databaseUrl, maxConnections: 2 });
  const problem = await pool.connect(async () => null).catch(({ message }: Error) => message);
  if (problem !== null) {
    if (command.withoutDatabase) return command.withoutDatabase(args, { temporal, processes }, problem);
    return reportError(noDatabase(problem));
  }
  try {
    return await command.run(args, {
      pool,
      temporal,
      processes,
      rails: async () => (await import('./rails.ts')).createRails(config),
      session: config.session,
      webhooks: config.webhooks,
      links: config.links,
      secondPersonAbove: config.secondPersonAbove,
      actor: async () =>
        (await import('./ops/core/actor.ts')).actorOf(readOpsToken(process.env), config.people),
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
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    return reportError('PostgreSQL did not answer within ten seconds. Next: npm run ops -- locks.');
  } finally {
    await pool.end().catch(() => {});
  }
}

function noDatabase(message: string): string {
  return /starting up|not yet accepting connections/.test(message)
    ? `PostgreSQL is starting: ${message}. Try again in a moment.`
    : `PostgreSQL does not answer: ${message}. Next: npm run ops -- health. Is DATABASE_URL right, and can this machine reach it?`;
}

function reportError(error: string): number {
  if (args.includes('--json')) console.log(JSON.stringify({ error }));
  else console.error(error);
  return 1;
}

/** @returns the commands with these names, or every command if none is given */
function allOf(names: readonly string[]): Promise<readonly Command[]> {
  const found = Object.entries(COMMANDS).filter(([each]) => names.length === 0 || names.includes(each));
  return Promise.all(found.map(([, load]) => load()));
}

function helpOf(...commands: readonly Command[]): string {
  const [only, ...more] = commands;
  const usages = commands.map(({ usage, help }) => {
    // The first sentence, which may continue on the next line.
    const [summary] = more.length > 0 ? (help?.replaceAll('\n', ' ').split(/(?<=\.)\s|:\s{2}/) ?? []) : [];
    return `  npm run ops -- ${usage}${summary ? `\n      ${summary}` : ''}`;
  });
  const help = more.length === 0 && only?.help ? `\n\n${only.help}` : '';
  return `Usage:\n${usages.join('\n')}${help}\n\nEvery command accepts --json and --help.`;
}
