/** The development provider's process: logs JSON lines and exits on SIGTERM or with its parent. */
import { createLogger } from '../../platform/observability/logger.ts';
import { closeOnSignal, exitWithParent } from '../lifecycle.ts';
import { readConfig } from './config.ts';
import { startIdentity } from './server.ts';

const { logLevel, ...config } = readConfig(process.env);
const logger = createLogger({ name: 'identity', level: logLevel });

exitWithParent();

// The library writes to the console; this process logs JSON.
console.info = (text: string) => logger.debug(text);
console.warn = (text: string) => logger.debug(text);

const identity = await startIdentity(config, logger);
logger.info(
  { issuer: config.issuer, accounts: config.accounts.map(({ id }) => id) },
  'identity provider ready',
);

closeOnSignal((signal) => {
  logger.info({ signal }, 'identity provider stopping');
  return identity.close();
});
