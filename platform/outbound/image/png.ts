/** PNG (W3C, third edition): a signature and chunks, each with a checksum. */
import { crc32 } from 'node:zlib';
import type { StillImage } from './image-file.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Chunks that draw the image. An animation (`acTL`) is rejected, because it would lose its frames. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'sRGB', 'iCCP', 'IDAT', 'IEND']);

export function readPng(file: Buffer): StillImage | null {
  if (!file.subarray(0, 8).equals(SIGNATURE)) return null;
  const kept: Buffer[] = [SIGNATURE];
  const types: string[] = [];
  for (let at = 8; types.at(-1) !== 'IEND'; ) {
    const end = at + 12 + file.readUInt32BE(at);
    if (file.readUInt32BE(end - 4) !== crc32(file.subarray(at + 4, end - 4))) return null;
    const type = file.toString('latin1', at + 4, at + 8);
    if (KEPT.has(type)) kept.push(file.subarray(at, end));
    types.push(type);
    at = end;
  }
  if (types[0] !== 'IHDR' || !types.includes('IDAT') || types.includes('acTL')) return null;
  return {
    type: 'png',
    width: file.readUInt32BE(16),
    height: file.readUInt32BE(20),
    body: Buffer.concat(kept),
  };
}
