/** Starts the development provider, from `main.ts` or in a test. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import express, { type ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { closeServer } from '../lifecycle.ts';
import { addedAccount, openAccounts } from './accounts.ts';
import { browserLogIn } from './browser-log-in.ts';
import type { IdentityConfig } from './config.ts';
import { homePage, logInPage, problemPage } from './pages.ts';
import { createProvider } from './provider.ts';

export async function startIdentity(
  config: Omit<IdentityConfig, 'logLevel'>,
  logger: Logger,
): Promise<{ close(): Promise<void> }> {
  const { host, port } = config;
  const accounts = openAccounts(config.accounts, config.dataDir);
  const provider = createProvider(config, accounts, logger);
  const logIn = browserLogIn(config);

  const app = express();
  app.disable('x-powered-by');
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/', (_request, response) => void response.send(homePage(accounts.all())));
  app.post('/people', express.urlencoded(), express.json(), (request, response) => {
    const { data: account, error } = addedAccount.safeParse(request.body);
    if (!account) return void response.status(400).send(problemPage(z.prettifyError(error)));
    accounts.add(account);
    if (request.is('json')) response.status(201).json(account);
    else response.redirect(303, '/');
  });
  app.get('/log-in', logIn.begin);
  app.get('/callback', logIn.end);
  app.get('/log-in/:uid', async (request, response) => {
    const { uid } = await provider.interactionDetails(request, response);
    response.send(logInPage(uid, accounts.all()));
  });
  app.post('/log-in/:uid', express.urlencoded(), async (request, response) => {
    const account = accounts.find(String(request.body?.account));
    if (!account) return void response.status(400).send(problemPage('This account does not exist.'));
    // The click also serves as the consent that the library requires for a native client.
    const chosen = { login: { accountId: account.id }, consent: {} };
    await provider.interactionFinished(request, response, chosen);
  });
  app.use(provider.callback());
  app.use(answerProblems(logger));

  const server = createServer(app).listen(port, host);
  await once(server, 'listening');
  return {
    close: () => closeServer(server),
  };
}

function answerProblems(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    logger.warn({ err: error }, 'log-in failed');
    response.status(400).send(problemPage('This log-in has expired, or was started in another browser.'));
  };
}
