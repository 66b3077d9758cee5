/** Rate limits per session: a workflow takes a limited number of updates (rule 14). */
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import { answerError } from './routes/answer.ts';

const WINDOW_MS = 60_000;

/** Room for ten concurrent clicks, each repeated a few times while its outcome is unknown. */
export const CLICKS_PER_MINUTE = 60;
const READS_PER_MINUTE = 600;

export function limitClicks(): RequestHandler {
  return limit(CLICKS_PER_MINUTE);
}

export function limitReads(): RequestHandler {
  return limit(READS_PER_MINUTE);
}

function limit(perMinute: number): RequestHandler {
  return rateLimit({
    windowMs: WINDOW_MS,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (req: Request) => String(req.params.pageToken).slice(0, 100),
    handler: (_req: Request, res: Response, _next: NextFunction) => answerError(res, 'rate_limited'),
  });
}
