/**
 * Accepts only complete still images, and rewrites the file from the parts that a decoder needs: without texts,
 * locations or trailing data.
 */
import type { StillImage } from './image-file.ts';
import { readJpeg } from './jpeg.ts';
import { readPng } from './png.ts';
import { readWebp } from './webp.ts';

export const MAX_BYTES = 300_000;
const MAX_SIDE = 2_000;

const READERS = [readJpeg, readPng, readWebp];

/** Returns the image, or the reason for its rejection as the end of a sentence. */
export function stillImageOf(file: Buffer): StillImage | string {
  if (file.length > MAX_BYTES) return `is larger than ${MAX_BYTES / 1_000} kB`;
  const image = READERS.map((read) => unlessBroken(() => read(file))).find((read) => read !== null);
  if (!image) return 'is not a complete still JPEG, PNG or WebP image';
  const { width, height } = image;
  if (width < 1 || height < 1) return 'has no pixels';
  if (width > MAX_SIDE || height > MAX_SIDE) return `has more than ${MAX_SIDE} pixels a side`;
  return image;
}

/** A read beyond the file's end means that the file is truncated. */
function unlessBroken(read: () => StillImage | null): StillImage | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
