/** The demo shop as a process: logs JSON lines, ends on SIGTERM, and with its parent. */
import { pino } from 'pino';
import { readShopConfig } from './config.ts';
import { startShop } from './server.ts';

const config = readShopConfig(process.env);
const logger = pino({ name: 'shop', level: config.logLevel });

// Standard input is a pipe that the parent holds: the operating system closes it when the parent is gone.
if (process.env.EXIT_WITH_PARENT === '1') {
  const exit = () => process.exit(1);
  process.stdin.on('end', exit).on('close', exit).on('error', exit).resume();
}

const shop = await startShop(config, logger);
logger.info({ url: config.publicUrl }, 'the shop is open');

async function close(signal: NodeJS.Signals): Promise<void> {
  logger.info({ signal }, 'the shop closes');
  await shop.close();
  process.exit(0);
}
process.once('SIGTERM', close).once('SIGINT', close);
