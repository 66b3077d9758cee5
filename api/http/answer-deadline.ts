/**
 * Responds in time even when PostgreSQL accepts connections but executes nothing: PostgreSQL's own statement time-out
 * (10 s) does not fire on a frozen server. Lists and event streams start their response long before this deadline.
 */
import type { RequestHandler, Response } from 'express';
import { sendError, serviceUnavailable } from './errors.ts';
import { exchangeOf } from './exchange.ts';

export const ANSWER_WITHIN_MS = 20_000;

const waiting = new Set<Response>();

/** Returns whether a request is still unanswered. A response that has begun, such as a list, counts as an answer. */
export function isAnswerAwaited(): boolean {
  for (const response of waiting) {
    if (!response.headersSent) return true;
    waiting.delete(response);
  }
  return false;
}

export const answerInTime: RequestHandler = (_request, response, next) => {
  waiting.add(response);
  const timer = setTimeout(() => {
    if (!response.headersSent) sendError(response, serviceUnavailable(exchangeOf(response).failureCode));
  }, ANSWER_WITHIN_MS);
  response.once('close', () => {
    clearTimeout(timer);
    waiting.delete(response);
  });
  next();
};
