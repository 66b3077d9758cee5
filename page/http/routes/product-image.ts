import type { Request, Response } from 'express';
import { findImage } from '../../../db/catalogue/product-images.ts';
import type { PageAssets } from '../../document/assets.ts';
import type { PageContext } from '../context.ts';
import { sendPlain } from '../plain-page.ts';

const TYPES: Readonly<Record<string, string>> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' };

/** `GET /pay/images/:name`: a product's picture, as it was when it was saved. */
export function productImage({ pool }: PageContext, assets: Promise<PageAssets>) {
  return async (req: Request<{ name: string }>, res: Response) => {
    const { name } = req.params;
    const type = TYPES[/^[0-9a-f]{32}\.(\w+)$/.exec(name)?.[1] ?? ''];
    const body = type ? await findImage(pool, name) : null;
    if (!type || !body) return sendPlain(req, res, await assets, 404, 'notFound');
    res
      .set({
        'Content-Type': type,
        // The file name contains a content hash.
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'X-Content-Type-Options': 'nosniff',
      })
      .send(body);
  };
}
