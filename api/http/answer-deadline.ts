/**
 * Answers in time even when PostgreSQL accepts connections and stays silent: its own statement timeout (10 s)
 * needs a running server. Lists and event streams have begun to answer long before.
 */
import type { RequestHandler } from 'express';
import { sendError, serviceUnavailable } from './errors.ts';
import { exchangeOf } from './exchange.ts';

export const ANSWER_WITHIN_MS = 20_000;

export const answerInTime: RequestHandler = (_request, response, next) => {
  const timer = setTimeout(() => {
    if (!response.headersSent) sendError(response, serviceUnavailable(exchangeOf(response).failureCode));
  }, ANSWER_WITHIN_MS);
  response.once('close', () => clearTimeout(timer));
  next();
};
