/** WebP (RFC 9649): a RIFF file of one lossy or lossless picture, perhaps with an alpha channel and a colour profile. */
import type { StillImage } from './image-file.ts';

const KEPT = new Set(['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L']);
/** Flags of `VP8X`: Exif and XMP are dropped; an animation is rejected. */
const EXIF_OR_XMP = 0x0c;
const ANIMATION = 0x02;

export function readWebp(file: Buffer): StillImage | null {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WEBP') return null;
  const end = 8 + file.readUInt32LE(4);
  if (end > file.length) return null;
  const kept = new Map<string, Buffer>();
  for (let at = 12; at < end; ) {
    const type = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    const next = at + 8 + length + (length % 2);
    if (next > end || kept.has(type)) return null;
    if (KEPT.has(type)) kept.set(type, Buffer.from(file.subarray(at, next)));
    at = next;
  }
  const [lossy, lossless, extended] = [kept.get('VP8 '), kept.get('VP8L'), kept.get('VP8X')];
  const size = lossy ? sizeOfLossy(lossy) : lossless ? sizeOfLossless(lossless) : null;
  if (!size || (lossy && lossless)) return null;
  if (extended) {
    const flags = extended.readUInt8(8);
    const canvas = { width: 1 + extended.readUIntLE(12, 3), height: 1 + extended.readUIntLE(15, 3) };
    const isWhole = canvas.width === size.width && canvas.height === size.height;
    if (flags & ANIMATION || !isWhole) return null;
    extended.writeUInt8(flags & ~EXIF_OR_XMP, 8);
  }
  const body = Buffer.concat([file.subarray(0, 12), ...kept.values()]);
  body.writeUInt32LE(body.length - 8, 4);
  return { type: 'webp', ...size, body };
}

type Size = Pick<StillImage, 'width' | 'height'>;

function sizeOfLossy(chunk: Buffer): Size | null {
  const isKeyFrame = (chunk.readUInt8(8) & 1) === 0 && chunk.readUIntBE(11, 3) === 0x9d012a;
  if (!isKeyFrame) return null;
  return { width: chunk.readUInt16LE(14) & 0x3fff, height: chunk.readUInt16LE(16) & 0x3fff };
}

function sizeOfLossless(chunk: Buffer): Size | null {
  if (chunk.readUInt8(8) !== 0x2f) return null;
  const bits = chunk.readUInt32LE(9);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}
