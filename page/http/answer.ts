/** Sends responses to the page's script: the view, or an error in the contract's format. */
import type { Response } from 'express';
import { PAGE_ERRORS, type PageErrorCode } from '../document/answers.ts';
import type { PageView } from '../document/view.ts';

export function answerView(res: Response, view: PageView, extra: object = {}): void {
  res.json({ ...view, ...extra });
}

export function answerError(res: Response, code: PageErrorCode, details?: string, extra: object = {}): void {
  const [status, message] = PAGE_ERRORS[code];
  if (status === 503) res.set('Retry-After', '2');
  res.status(status).json({
    code,
    message: details ?? message,
    request_id: res.getHeader('x-request-id') ?? null,
    ...(status === 503 && { state: 'unknown' }),
    ...extra,
  });
}
