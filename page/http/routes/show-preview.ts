import type { Request, Response } from 'express';
import type { PageAssets } from '../../document/assets.ts';
import { choosePageLanguage, stringsOf } from '../../document/language.ts';
import { pageDocument } from '../../document/page.ts';
import { labelsOf, previewView } from '../../document/preview.ts';
import type { PageContext } from '../context.ts';
import { sendPlain } from '../plain-page.ts';
import { openPreview } from '../preview-address.ts';
import { newNonce, setPreviewPolicy } from '../security-headers.ts';

const NO_SUPPORT = { email: null, url: null, phone: null };

/** `GET /pay/preview/:sealed`: the page without a session, with a branding that may not be saved yet. */
export function showPreview({ secretBox }: PageContext, assets: Promise<PageAssets>) {
  return async (req: Request<{ sealed: string }>, res: Response) => {
    const preview = openPreview(secretBox, req.params.sealed, Date.now());
    if (!preview) return sendPlain(req, res, await assets, 404, 'notFound');
    const { name, logoUrl, color: colour, environment, framedBy } = preview;
    // Use the language that the merchant is trying out, regardless of the browser's.
    const pageLanguage = choosePageLanguage(req, { locale: preview.language });
    const { language } = pageLanguage;
    const words = { ...pageLanguage, strings: stringsOf(language), timeZone: 'UTC' };
    const view = previewView(
      { name, logoUrl, contact: [], support: NO_SUPPORT },
      environment,
      language,
      Date.now(),
    );
    const nonce = newNonce();
    setPreviewPolicy(res, { nonce, logoUrl, framedBy });
    res
      .type('html')
      .send(pageDocument({ view, words, colour, assets: await assets, nonce, preview: labelsOf(language) }));
  };
}
