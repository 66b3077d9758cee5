/** The rail's HTTP routes. */
import express, { type Express, type RequestHandler } from 'express';
import type { Context } from './operations/context.ts';
import { accountRoutes } from './routes/account.ts';
import { adminRoutes } from './routes/admin.ts';
import { assetRoutes } from './routes/assets.ts';
import { bookRoutes } from './routes/books.ts';
import { challengeRoutes } from './routes/challenge.ts';
import { chargeRoutes } from './routes/charges.ts';
import { disputeRoutes } from './routes/disputes.ts';
import { errorAnswers, routeNotFound } from './routes/errors.ts';
import { fieldsRoutes } from './routes/fields.ts';
import { refundRoutes } from './routes/refunds.ts';
import { storedChargeRoutes } from './routes/stored-charges.ts';
import { tokenRoutes } from './routes/tokens.ts';

export function createApp(context: Context): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(safeHeaders);
  app.use(express.json({ limit: '20kb' }), express.urlencoded({ extended: false, limit: '2kb' }));
  app.use(chargeRoutes(context), storedChargeRoutes(context), refundRoutes(context), disputeRoutes(context));
  app.use(tokenRoutes(context), fieldsRoutes(context), challengeRoutes(context), assetRoutes());
  app.use(accountRoutes(context), bookRoutes(context), adminRoutes(context));
  app.use(routeNotFound, errorAnswers(context.log));
  return app;
}

const safeHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  next();
};
