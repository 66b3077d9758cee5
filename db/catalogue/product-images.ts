/** Product images for the hosted page. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Db, sql, type Transaction } from '../core/pool.ts';

export interface NewImage {
  /** The image's format, which is also the extension of the file name. */
  readonly type: string;
  readonly width: number;
  readonly height: number;
  readonly body: Buffer;
}

/** Stores the image, once for all products that use it. @returns the value of `products.image` */
export async function keepImage(tx: Transaction, image: NewImage | null) {
  if (!image) return null;
  const { type, width, height, body } = image;
  const name = `${createHash('sha256').update(body).digest('hex').slice(0, 32)}.${type}`;
  await tx.query(sql.typeAlias('void')`
    insert into product_images (name, body) values (${name}, ${sql.binary(body)}) on conflict do nothing`);
  return sql.jsonb({ name, width, height });
}

export function findImage(db: Db, name: string): Promise<Buffer | null> {
  return db.maybeOneFirst(sql.type(z.object({ body: z.instanceof(Buffer) }))`
    select body from product_images where name = ${name}`);
}
