/**
 * `npm start -- --observe`: production's Grafana dashboards and a trace viewer, on one page. Prometheus evaluates
 * the queries of deploy/observability's dashboards and its alert rules; spans arrive over OTLP.
 */
import { createLogger } from '../../platform/observability/logger.ts';
import { closeOnSignal, exitWithParent } from '../lifecycle.ts';
import { startObserve } from './server.ts';

const logger = createLogger({ name: 'observe', level: process.env.LOG_LEVEL ?? 'info' });
exitWithParent();

const port = Number(process.env.OBSERVE_PORT);
const page = await startObserve({ port, prometheusUrl: process.env.OBSERVE_PROMETHEUS_URL });
logger.info({ port }, 'observe ready');
closeOnSignal(() => page.close());
