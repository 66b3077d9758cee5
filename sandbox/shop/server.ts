/** The demo shop, a merchant's server. It reaches the service over HTTP only. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import express, { type ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { closeServer } from '../lifecycle.ts';
import { createBehaviourSwitch } from './core/behaviour.ts';
import { connectCheckoutApi } from './core/checkout-api.ts';
import type { ShopConfig } from './core/config.ts';
import { keepReceivedEvents } from './core/received-events.ts';
import { strictPolicy } from './core/security-headers.ts';
import { problemPage } from './pages/problem.ts';
import { buy } from './routes/buy.ts';
import { listEvents, setBehaviour, streamEvents } from './routes/events.ts';
import { receiveWebhook } from './routes/receive-webhook.ts';
import { showBrowserShop } from './routes/show-browser-shop.ts';
import { showReturn } from './routes/show-return.ts';
import { showStorefront } from './routes/show-storefront.ts';

const PUBLIC_FILES = fileURLToPath(new URL('./public', import.meta.url));

export interface RunningShop {
  readonly port: number;
  close(): Promise<void>;
}

export async function startShop(config: ShopConfig, logger: Logger): Promise<RunningShop> {
  const api = connectCheckoutApi(config);
  const events = keepReceivedEvents(config.dataDir);
  const behaviour = createBehaviourSwitch();

  const app = express();
  app.disable('x-powered-by');
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  app.post('/webhooks', ...receiveWebhook({ config, events, behaviour, logger }));
  app.get('/events', listEvents(events));
  app.get('/events/stream', streamEvents(events));
  app.post('/events/behaviour', ...setBehaviour(behaviour));
  app.use(strictPolicy);
  app.use('/assets', express.static(PUBLIC_FILES, { index: false }));
  app.get('/', showStorefront({ config, api }));
  app.post('/buy/:kind', buy({ config, api, logger }));
  app.get('/browser', showBrowserShop(config));
  app.get('/thanks', showReturn({ config, outcome: 'success' }));
  app.get('/sorry', showReturn({ config, outcome: 'fail' }));
  app.use((_request, response) => void response.status(404).send(problemPage('This page does not exist.')));
  app.use(answerProblems(logger));

  const server = createServer(app);
  server.listen(config.port, config.host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : config.port,
    close: () => closeServer(server),
  };
}

function answerProblems(logger: Logger): ErrorRequestHandler {
  return (error, request, response, _next) => {
    logger.error({ err: error?.name, path: request.path }, 'request failed');
    if (response.headersSent) response.destroy();
    else response.status(500).send(problemPage('The shop has a problem. Please try again.'));
  };
}
