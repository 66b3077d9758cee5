/** `npx hosted-checkout <command>`: the command line for merchants' developers. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { printPlainly } from '../../../contract/core/plain-output.ts';
import { ApiError, ConnectionError, RequestTimeoutError } from '../src/errors.ts';
import { buy } from './commands/buy.ts';
import { completion } from './commands/completion.ts';
import { listen } from './commands/listen.ts';
import { logIn } from './commands/log-in.ts';
import { logs } from './commands/logs.ts';
import { open } from './commands/open.ts';
import { trigger } from './commands/trigger.ts';
import { COMMON_OPTIONS, type Command, FailedError, UsageError } from './core/command.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  login: logIn,
  buy,
  trigger,
  listen,
  logs,
  open,
  completion: completion(() => COMMANDS),
};

const widest = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
const HELP = `Usage: hosted-checkout <command> [options]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(widest)}  ${summary}`)
  .join('\n')}

Every command takes --help, --json (one JSON value per line, for programs), --url and --key; the last two
default to HOSTED_CHECKOUT_URL and HOSTED_CHECKOUT_API_KEY, then what \`login\` stored: its key is for its address only.
--version prints the version. Exit code: 0; 1 if it failed; 2 for invalid arguments;
3 if \`buy\` did not end in a payment, or \`listen --once\` forwarded an event that was not accepted.`;

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(HELP);
    return name === undefined ? 2 : 0;
  }
  if (name === '--version') {
    // package.json is beside cli/ in the project, and beside dist/ when installed.
    console.log(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`There is no command ${name}.\n\n${HELP}`);
  const { values, positionals } = read(command, args);
  if (values.help) {
    console.log(command.help);
    return 0;
  }
  await command.run({ values, positionals });
  return Number(process.exitCode ?? 0);
}

function read(command: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...COMMON_OPTIONS, ...command.options },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${command.help}`);
  }
}

const EXPECTED = [ApiError, ConnectionError, RequestTimeoutError, TypeError, FailedError, UsageError];

process.stdout.on('error', () => process.exit(0));
printPlainly();
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!EXPECTED.some((kind) => error instanceof kind)) throw error;
  console.error((error as Error).message);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
