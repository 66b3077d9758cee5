import type { Request, Response } from 'express';
import type { PageAssets } from '../document/assets.ts';
import { choosePageLanguage, stringsOf } from '../document/language.ts';
import { plainDocument } from '../document/page.ts';
import { newNonce, setPagePolicy } from './security-headers.ts';

/** Sends a plain page: the session does not exist, or nothing can be read right now. */
export function sendPlain(
  req: Request,
  res: Response,
  assets: PageAssets,
  status: 404 | 429 | 503,
  what: 'notFound' | 'unavailable',
): void {
  const pageLanguage = choosePageLanguage(req);
  const strings = stringsOf(pageLanguage.language);
  const nonce = newNonce();
  setPagePolicy(res, { nonce, fieldsOrigin: null, logoUrl: null });
  if (status === 503) res.set('Retry-After', '5');
  const page =
    what === 'notFound'
      ? { title: strings.notFoundTitle, text: strings.notFoundBody }
      : {
          title: strings.unavailableTitle,
          text: strings.unavailableBody,
          link: { href: '', text: strings.loadAgain },
        };
  res
    .status(status)
    .type('html')
    .send(plainDocument({ words: { ...pageLanguage, strings }, assets, nonce, ...page }));
}
