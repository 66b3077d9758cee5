/** The hosted page: everything under `/pay`, mounted by the API. */
import express, { type ErrorRequestHandler, type Router } from 'express';
import { listenForChanges } from '../db/core/changes.ts';
import { isMoneyHeld } from '../db/core/money-held.ts';
import { DECLINE_LIMITS, type DeclineLimits } from '../domain/session/card-testing.ts';
import type { PageErrorCode } from './document/answers.ts';
import type { PageAssets } from './document/assets.ts';
import { answerError } from './http/answer.ts';
import { assetsUnder, findAsset, sendAsset } from './http/assets.ts';
import type { PageContext } from './http/context.ts';
import { limitAddress, limitClicks, limitReads } from './http/limits.ts';
import { sendPlain } from './http/plain-page.ts';
import { PREVIEW } from './http/preview-address.ts';
import { cancel } from './http/routes/cancel.ts';
import { challenge, challengeReturn } from './http/routes/challenge.ts';
import { challengeComplete } from './http/routes/challenge-complete.ts';
import { changeCode } from './http/routes/code.ts';
import { policyReports } from './http/routes/csp-reports.ts';
import { pay } from './http/routes/pay.ts';
import { productImage } from './http/routes/product-image.ts';
import { showPage } from './http/routes/show-page.ts';
import { showPreview } from './http/routes/show-preview.ts';
import { showState } from './http/routes/show-state.ts';
import { streamState } from './http/routes/stream-state.ts';

/** Limit per address. A page that violates its policy sends only a few reports. */
const REPORTS_PER_MINUTE = 30;
/** Content types of report-uri and report-to. */
const REPORT_TYPES = ['application/csp-report', 'application/reports+json', 'application/json'];

const PAY_PATH = '/:pageToken/pay';
const CODE_PATH = '/:pageToken/code';

export interface PageOptions {
  /** Requests per minute and address. */
  readonly perAddress: number;
  /** Declined cards after which a click needs a proof of work. */
  readonly declines?: DeclineLimits | undefined;
}

export function createPageRouter(
  context: PageContext,
  { perAddress, declines = DECLINE_LIMITS }: PageOptions,
): Router {
  const { logger, config } = context;
  const router = express.Router();
  const assets = assetsUnder(config.api.publicUrl);
  assets.catch((err: unknown) => logger.error({ err }, 'page build failed'));
  const changes = listenForChanges({
    channel: 'checkout_changed',
    databaseUrl: config.database.directUrl ?? config.database.url,
    onLost: (err) => logger.warn({ err }, 'listener for session changes lost, reconnecting'),
  });
  const address = limitAddress(context, 'page', perAddress);
  const reports = [
    limitAddress(context, 'policy reports', REPORTS_PER_MINUTE),
    express.json({ type: REPORT_TYPES, limit: '20kb' }),
  ];
  const reportsPath = `${new URL(config.api.publicUrl).pathname.replace(/\/$/, '')}/pay/csp-reports`;
  router.use((_req, res, next) => {
    res.locals.reportsPath = reportsPath;
    next();
  });
  const reads = [address, limitReads(context)];
  const clicks = [address, limitClicks(context), onlyJson, express.json({ limit: '10kb' })];

  router.get('/assets/:name', async (req, res) => {
    const found = findAsset(await assets, req.params.name);
    if (found) sendAsset(req, res, found.asset, found.exact);
    else sendPlain(req, res, await assets, 404, 'notFound');
  });
  router.get('/images/:name', address, productImage(context, assets));
  router.post('/csp-reports', forScript, reports, policyReports(context));
  router.get(`/${PREVIEW}/:sealed`, address, showPreview(context, assets));
  router.get('/:pageToken', reads, showPage(context, assets));
  router.get('/:pageToken/state', forScript, reads, showState(context));
  router.get('/:pageToken/events', forScript, reads, streamState(context, changes));
  router.post(PAY_PATH, forScript, clicks, pay(context, changes, declines));
  router.post(CODE_PATH, forScript, clicks, changeCode(context));
  router.post('/:pageToken/challenge-complete', forScript, clicks, challengeComplete(context));
  router.post('/:pageToken/cancel', forScript, clicks, cancel(context));
  router.get('/:pageToken/challenge', reads, challenge(context));
  router.all('/:pageToken/challenge/return', address, challengeReturn(context));
  router.use(async (req, res) => sendPlain(req, res, await assets, 404, 'notFound'));
  router.use(handleErrors(context, assets));
  return router;
}

/** Marks a request from the page's script, which always gets JSON, errors included. */
const forScript: express.RequestHandler = (_req, res, next) => {
  res.locals.forScript = true;
  res.set({
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  next();
};

const onlyJson: express.RequestHandler = (req, res, next) => {
  if (req.is('application/json')) next();
  else answerError(res, 'unsupported_media_type');
};

/** Responds readably to every error. A state that cannot be read is reported as unknown, never as failed. */
function handleErrors({ logger }: PageContext, assets: Promise<PageAssets>): ErrorRequestHandler {
  return async (error, req, res, _next) => {
    if (res.headersSent) return void res.destroy();
    const badRequest = error.status >= 400 && error.status < 500;
    if (badRequest && req.method === 'POST') return answerError(res, refusalOf(error));
    const isHeld = isMoneyHeld(error);
    if (!badRequest && !isHeld) logger.error({ err: error, route: req.route?.path }, 'page request failed');
    // A rejected click or code charged nothing; other requests may concern an earlier click.
    if (isHeld && [PAY_PATH, CODE_PATH].includes(req.route?.path))
      return answerError(res, 'payment_rail_unavailable');
    const loaded = res.locals.forScript ? undefined : await assets.catch(() => undefined);
    if (loaded && error.status === 429) sendPlain(req, res, loaded, 429, 'unavailable');
    else if (loaded && badRequest) sendPlain(req, res, loaded, 404, 'notFound');
    else if (loaded) sendPlain(req, res, loaded, 503, 'unavailable');
    else answerError(res, 'dependency_unavailable');
  };
}

function refusalOf({ type, status }: { type?: string; status: number }): PageErrorCode {
  if (type === 'entity.too.large') return 'payload_too_large';
  if (type === 'entity.parse.failed') return 'invalid_json';
  return status === 415 ? 'unsupported_media_type' : 'invalid_request';
}
