/** The demo shop as a process: logs JSON lines, ends on SIGTERM, and with its parent. */
import { pino } from 'pino';
import { closeOnSignal, exitWithParent } from '../lifecycle.ts';
import { readShopConfig } from './config.ts';
import { startShop } from './server.ts';

const config = readShopConfig(process.env);
const logger = pino({ name: 'shop', level: config.logLevel });

exitWithParent();

const shop = await startShop(config, logger);
logger.info({ url: config.publicUrl }, 'the shop is open');

closeOnSignal((signal) => {
  logger.info({ signal }, 'the shop closes');
  return shop.close();
});
