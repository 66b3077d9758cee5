/**
 * A program that reads a picture from standard input, and writes a line of JSON and the picture in the same format. The
 * new file contains only the pixels, turned upright.
 */
import { buffer } from 'node:stream/consumers';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { type Encoded, MAX_BYTES } from './still-image.ts';

const MAX_SIDE = 2_000;
const NO_IMAGE = 'is not a complete still JPEG, PNG or WebP image';
const TOO_WIDE = `has more than ${MAX_SIDE} pixels a side`;

const QUALITIES = [85, 60, 40, 20];
/**
 * The encodings of each format, the most faithful first: the first whose file is small enough is used. A lossless WebP
 * loses quality too, because the library's metadata does not distinguish it from a lossy one.
 */
const ENCODINGS = {
  jpeg: QUALITIES.map((quality) => (image: Sharp) => image.jpeg({ quality })),
  webp: QUALITIES.map((quality) => (image: Sharp) => image.webp({ quality, effort: 2 })),
  png: [
    (image: Sharp) => image.png(),
    (image: Sharp) => image.png({ compressionLevel: 9, adaptiveFiltering: true }),
    (image: Sharp) => image.png({ palette: true }),
  ],
};
type Format = keyof typeof ENCODINGS;
const TYPES = { jpeg: 'jpg', png: 'png', webp: 'webp' } as const;

sharp.concurrency(1);
sharp.cache(false);
// The library reads many formats, some of which fetch other files.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`) });

const image = await reEncoded(await buffer(process.stdin));
const [encoded, body]: [Encoded, Buffer?] =
  typeof image === 'string' ? [{ refused: image }] : [image.about, image.body];
process.stdout.write(`${JSON.stringify(encoded)}\n`);
if (body) process.stdout.write(body);

/** @returns the image, or why it is rejected: a predicate of “The image” */
async function reEncoded(file: Buffer) {
  const open = () => sharp(file, { limitInputPixels: MAX_SIDE ** 2, failOn: 'error' });
  try {
    const about = await open().metadata();
    if (isAnimated(about, file)) return NO_IMAGE;
    if (about.width > MAX_SIDE || about.height > MAX_SIDE) return TOO_WIDE;
    const format = about.format as Format;
    for (const encode of ENCODINGS[format].slice(about.isPalette ? -1 : 0)) {
      const { data, info } = await encode(open().autoOrient()).toBuffer({ resolveWithObject: true });
      const { width, height } = info;
      if (data.length <= MAX_BYTES) return { about: { type: TYPES[format], width, height }, body: data };
    }
    return `is larger than ${MAX_BYTES / 1_000} kB after re-encoding`;
  } catch (error) {
    return String(error).includes('exceeds pixel limit') ? TOO_WIDE : NO_IMAGE;
  }
}

/** An animation is rejected, because it would lose its frames. In a PNG, the library sees only the first frame. */
function isAnimated({ pages, format }: Metadata, file: Buffer): boolean {
  return pages !== undefined || (format === 'png' && chunksBeforePixels(file).includes('acTL'));
}

/** A PNG is its signature of eight bytes, then chunks: length, type, data and checksum. */
function chunksBeforePixels(file: Buffer): readonly string[] {
  const types: string[] = [];
  for (let at = 8; at + 8 <= file.length && types.at(-1) !== 'IDAT'; at += 12 + file.readUInt32BE(at))
    types.push(file.toString('latin1', at + 4, at + 8));
  return types;
}
