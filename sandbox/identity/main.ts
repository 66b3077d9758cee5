/** The development provider as a process: logs JSON lines, ends on SIGTERM, and with its parent. */
import { pino } from 'pino';
import { closeOnSignal, exitWithParent } from '../lifecycle.ts';
import { readConfig } from './config.ts';
import { startIdentity } from './server.ts';

const { logLevel, ...config } = readConfig(process.env);
const logger = pino({ name: 'identity', level: logLevel });

exitWithParent();

// The library speaks on the console; this process speaks JSON.
console.info = (text: string) => logger.debug(text);
console.warn = (text: string) => logger.debug(text);

const identity = await startIdentity(config, logger);
logger.info(
  { issuer: config.issuer, accounts: config.accounts.map(({ id }) => id) },
  'the provider is ready',
);

closeOnSignal((signal) => {
  logger.info({ signal }, 'the provider ends');
  return identity.close();
});
