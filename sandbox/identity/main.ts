/** The development provider as a process: logs JSON lines, ends on SIGTERM, and with its parent. */
import { pino } from 'pino';
import { readConfig } from './config.ts';
import { startIdentity } from './server.ts';

const { logLevel, ...config } = readConfig(process.env);
const logger = pino({ name: 'identity', level: logLevel });

// Standard input is a pipe that the parent holds: the operating system closes it when the parent is gone.
if (process.env.EXIT_WITH_PARENT === '1') {
  const exit = () => process.exit(1);
  process.stdin.on('end', exit).on('close', exit).on('error', exit).resume();
}

// The library speaks on the console; this process speaks JSON.
console.info = (text: string) => logger.debug(text);
console.warn = (text: string) => logger.debug(text);

const identity = await startIdentity(config, logger);
logger.info(
  { issuer: config.issuer, accounts: config.accounts.map(({ id }) => id) },
  'the provider is ready',
);

async function close(signal: NodeJS.Signals): Promise<void> {
  logger.info({ signal }, 'the provider ends');
  await identity.close();
  process.exit(0);
}
process.once('SIGTERM', close).once('SIGINT', close);
