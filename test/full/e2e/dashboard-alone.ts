/**
 * The dashboard deployed separately: its static files on another origin, whose server passes `/v1` on
 * (docs/dashboard.md).
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from '@jest/globals';
import express from 'express';
import type { Browser } from 'playwright-core';
import { ensureDashboard, OUTPUT } from '../../../dashboard/build.ts';
import { openDashboard, PEOPLE } from '../../e2e/dashboard.ts';
import type { TestStack } from '../../support/stack/stack.ts';

export async function openDeployedAlone(stack: TestStack, browser: Browser): Promise<void> {
  await ensureDashboard();
  const logIn = (await (await fetch(`${stack.dashboardUrl}/config.json`)).json()).logIn;
  const app = express();
  app.use('/v1', passOnTo(`${stack.apiUrl}/v1`));
  app.get('/dashboard/config.json', (_request, response) => void response.json({ apiUrl: '', logIn }));
  app.use('/dashboard/assets', express.static(`${OUTPUT}/assets`));
  app.get('/dashboard/{*page}', (_request, response) => response.sendFile(`${OUTPUT}/index.html`));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const dashboardUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dashboard`;
  try {
    // Registers the client's redirect URI and origin at the provider.
    await stack.restart('identity', { IDENTITY_DASHBOARD_URL: dashboardUrl });
    const alone = { dashboardUrl, merchant: stack.merchant };
    const { page, complaints } = await openDashboard(browser, alone, PEOPLE.owner, '/payments');
    await page.locator('tbody tr').first().click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await page.getByRole('link', { name: 'Branding' }).click();
    await page
      .frameLocator('.hosted.phone iframe')
      .getByRole('heading', { name: 'Payment details' })
      .waitFor();
    expect(new URL(page.url()).origin).toBe(new URL(dashboardUrl).origin);
    expect(complaints).toEqual([]);
    await page.context().close();
  } finally {
    server.close();
  }
}

const passOnTo = (target: string) => async (request: IncomingMessage, response: ServerResponse) => {
  const answer = await fetch(`${target}${request.url}`, {
    method: request.method ?? 'GET',
    headers: { authorization: request.headers.authorization ?? '' },
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  if (answer.body) Readable.fromWeb(answer.body as never).pipe(response);
  else response.end();
};
