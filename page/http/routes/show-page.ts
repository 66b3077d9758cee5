import type { Request, Response } from 'express';
import type { PageAssets } from '../../document/assets.ts';
import { stringsOf } from '../../document/language.ts';
import { pageDocument } from '../../document/page.ts';
import { sendDocument } from '../compressed.ts';
import type { PageContext } from '../context.ts';
import { load } from '../load.ts';
import { sendPlain } from '../plain-page.ts';
import { newNonce, setPagePolicy } from '../security-headers.ts';

/** `GET /pay/:pageToken`: the page, in any state of the session. */
export function showPage(context: PageContext, assets: Promise<PageAssets>) {
  return async (req: Request<{ pageToken: string }>, res: Response) => {
    const loaded = await load(context, req);
    if (!loaded) return sendPlain(req, res, await assets, 404, 'notFound');
    const { session, view, pageLanguage } = loaded;
    const nonce = newNonce();
    setPagePolicy(res, { nonce, fieldsOrigin: view.fields?.origin ?? null, logoUrl: view.merchant.logoUrl });
    const words = { ...pageLanguage, strings: stringsOf(pageLanguage.language, view.kind), timeZone: 'UTC' };
    const colour = session.terms.merchant.branding.color;
    await sendDocument(req, res, pageDocument({ view, words, colour, assets: await assets, nonce }));
  };
}
