/** A download of the dashboard has the name that the API gives it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import express from 'express';
import { fileNameOf } from '../../dashboard/app/payments/file-name.ts';

test.each([
  'harbour-coffee-payments-2026-11-30.csv',
  'kaffeerösterei-söhne-invoices-2026-11.csv',
  '李明-refunds-2026-11.csv',
  'two words.csv',
])('the dashboard saves %s under that name', async (name) => {
  const app = express();
  app.get('/', (_request, response) => void response.attachment(name).send());
  const server = createServer(app).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await response.body?.cancel();
    expect(fileNameOf(response.headers.get('content-disposition') ?? '')).toBe(name);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
