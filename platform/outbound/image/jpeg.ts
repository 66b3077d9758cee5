/** JPEG (ITU-T T.81): segments, of which scans are followed by their data. */
import type { StillImage } from './image-file.ts';

const [SOI, EOI, SOS, APP0, APP1, APP2, APP14, COM] = [0xd8, 0xd9, 0xda, 0xe0, 0xe1, 0xe2, 0xee, 0xfe];
/** Baseline, extended and progressive frames, which browsers can draw. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
const OTHER_FRAMES = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
/** From this orientation on, width and height are swapped. */
const TURNED = 5;

export function readJpeg(file: Buffer): StillImage | null {
  if (file.readUInt16BE(0) !== 0xff00 + SOI) return null;
  const kept: Buffer[] = [];
  let size: { width: number; height: number } | null = null;
  let orientation = 1;
  let hasScan = false;
  for (let at = 2; ; ) {
    if (file.readUInt8(at) !== 0xff) return null;
    const marker = file.readUInt8(at + 1);
    if (marker === EOI) break;
    let end = at + 2 + file.readUInt16BE(at + 2);
    if (end > file.length || OTHER_FRAMES.has(marker) || (FRAMES.has(marker) && size)) return null;
    const segment = file.subarray(at, end);
    if (FRAMES.has(marker)) size = { height: segment.readUInt16BE(5), width: segment.readUInt16BE(7) };
    if (marker === APP1) orientation = orientationOf(segment) ?? orientation;
    if (marker === SOS) {
      hasScan = true;
      end = endOfScan(file, end);
    }
    if (isDrawn(marker, segment)) kept.push(file.subarray(at, end));
    at = end;
  }
  if (!size || !hasScan) return null;
  const { width, height } = size;
  const ends = [Buffer.from([0xff, SOI]), Buffer.from([0xff, EOI])] as const;
  return {
    type: 'jpg',
    ...(orientation >= TURNED ? { width: height, height: width } : size),
    body: Buffer.concat([ends[0], ...exifOf(orientation), ...kept, ends[1]]),
  };
}

/** True for segments that a decoder needs: no comments, and of application data only colour information. */
function isDrawn(marker: number, segment: Buffer): boolean {
  if (marker === APP2) return segment.toString('latin1', 4, 16) === 'ICC_PROFILE\0';
  return marker !== COM && (marker < APP0 || marker > 0xef || marker === APP0 || marker === APP14);
}

/** Skips a scan's data, in which 0xff is followed by 0 or is a restart marker. */
function endOfScan(file: Buffer, start: number): number {
  for (let at = file.indexOf(0xff, start); at !== -1; at = file.indexOf(0xff, at + 2)) {
    const marker = file.readUInt8(at + 1);
    if (marker !== 0 && (marker < 0xd0 || marker > 0xd7)) return at;
  }
  throw new RangeError('the scan does not end');
}

const EXIF = 'Exif\0\0';
const ORIENTATION = 0x0112;

/** Reads the camera's orientation from Exif; null if absent. */
function orientationOf(segment: Buffer): number | null {
  if (segment.toString('latin1', 4, 10) !== EXIF) return null;
  const tiff = segment.subarray(10);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < short(first); entry += 1) {
    const at = first + 2 + entry * 12;
    if (short(at) !== ORIENTATION) continue;
    const value = short(at + 8);
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
}

/** Writes Exif with the orientation only, without which browsers would draw a phone's photographs sideways. */
function exifOf(orientation: number): Buffer[] {
  if (orientation === 1) return [];
  const exif = Buffer.alloc(36);
  exif.writeUInt16BE(0xff00 + APP1, 0);
  exif.writeUInt16BE(34, 2);
  exif.write(`${EXIF}MM\0*`, 4, 'latin1');
  exif.writeUInt32BE(8, 14);
  exif.writeUInt16BE(1, 18);
  exif.writeUInt16BE(ORIENTATION, 20);
  exif.writeUInt16BE(3, 22);
  exif.writeUInt32BE(1, 24);
  exif.writeUInt16BE(orientation, 28);
  return [exif];
}
