/** The demo shop's process: logs JSON lines and exits on SIGTERM or with its parent. */
import { createLogger } from '../../platform/observability/logger.ts';
import { closeOnSignal, exitWithParent } from '../lifecycle.ts';
import { readShopConfig } from './core/config.ts';
import { startShop } from './server.ts';

const config = readShopConfig(process.env);
const logger = createLogger({ name: 'shop', level: config.logLevel });

exitWithParent();

const shop = await startShop(config, logger);
logger.info({ url: config.publicUrl }, 'shop ready');

closeOnSignal((signal) => {
  logger.info({ signal }, 'shop stopping');
  return shop.close();
});
