/** Pictures of products are fetched through the guard of webhooks, and only complete still images are re-encoded. */
import { createCipheriv } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createWebhookAgent } from '../../../../platform/outbound/agent.ts';
import { fetchImage } from '../../../../platform/outbound/image/fetch-image.ts';
import type { StillImage } from '../../../../platform/outbound/image/still-image.ts';
import { createResolve } from '../../../../platform/outbound/resolve.ts';
import {
  ALPHA_WEBP,
  ANIMATED_WEBP,
  chunk,
  claiming,
  GIF,
  JPEG,
  LOSSLESS_WEBP,
  png,
  WEBP,
  withSegment,
} from '../../../support/core/images.ts';

const ENOUGH_MS = 20_000;
const TIMEOUT_MS = 300;
const NO_IMAGE = 'The image is not a complete still JPEG, PNG or WebP image.';
const TOO_WIDE = 'The image has more than 2000 pixels a side.';
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/image`;
}

function fetched(url: string, allowLoopback = true, timeoutMs = ENOUGH_MS): Promise<StillImage | string> {
  const agent = createWebhookAgent({ allowLoopback, resolve: createResolve(), timeoutMs });
  return fetchImage(url, { agent, timeoutMs, enqueue: (work) => work() });
}

/** Served without a file name or type, which the service would not trust. */
const sent = async (body: Buffer) => fetched(await served((_req, res) => res.end(body)));

/** Random pixels, the same in each run. */
function noise(side: number, colours = 3) {
  const pixels = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(
    Buffer.alloc(side * side * colours),
  );
  return sharp(pixels, { raw: { width: side, height: side, channels: colours as 1 | 3 } });
}

const blurred = (side: number, shown: number) => noise(side).resize(shown, shown, { fit: 'fill' });
const pixelsOf = (file: Buffer) => sharp(file).toColourspace('srgb').removeAlpha().raw().toBuffer();

/** The average difference of two pictures of the same size, of 255. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [left, right] = await Promise.all([pixelsOf(one), pixelsOf(other)]);
  expect(left.length).toBe(right.length);
  return left.reduce((sum, value, at) => sum + Math.abs(value - (right[at] ?? 0)), 0) / left.length;
}

const SCRIPT = '<script>';
const text = (words: string) => chunk('tEXt', Buffer.from(`Author\0${words}`));
const ANIMATION = chunk('acTL', Buffer.alloc(8));
const more = (file: Buffer) => Buffer.concat([file, Buffer.from(SCRIPT)]);
/** Exif of an orientation. Big endian; one entry of type SHORT, followed by the camera's name. */
const exif = (orientation: number) =>
  `Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}\0\0\0\0\0\0${SCRIPT}`;

describe('the stored image', () => {
  test.each([
    ['a PNG', png(30, 20), 'png', 30, 20],
    ['a PNG with “acTL” in a text', png(3, 2, text('acTL')), 'png', 3, 2],
    ['a JPEG', JPEG, 'jpg', 8, 16],
    ['a lossy WebP', WEBP, 'webp', 1, 1],
    ['a lossless WebP', LOSSLESS_WEBP, 'webp', 1, 1],
    ['a WebP with alpha', ALPHA_WEBP, 'webp', 1, 1],
    ['the largest size', png(2_000, 2_000), 'png', 2_000, 2_000],
  ] as const)('of %s keeps its type, size and pixels', async (_what, body, type, width, height) => {
    const image = (await sent(body)) as StillImage;
    expect(image).toMatchObject({ type, width, height });
    expect(await difference(image.body, body)).toBeLessThan(8);
  });

  test.each([
    ['texts of a PNG', png(2, 2, text(SCRIPT))],
    ['a chunk that decoders read, but not to its end', png(2, 2, chunk('gAMA', more(Buffer.alloc(4, 1))))],
    ['data after a PNG', more(png(2, 2))],
    ['comments of a JPEG', withSegment(JPEG, 0xfe, SCRIPT)],
    ['XMP of a JPEG', withSegment(JPEG, 0xe1, `http://ns.adobe.com/xap/1.0/\0${SCRIPT}`)],
    ['a colour profile of a JPEG', withSegment(JPEG, 0xe2, `ICC_PROFILE\0\x01\x01${SCRIPT}`)],
    ['Exif of a JPEG', withSegment(JPEG, 0xe1, exif(1))],
    ['data after a JPEG', more(JPEG)],
    ['data after a WebP', more(WEBP)],
  ])('contains nothing else of its file, such as %s', async (_what, body) => {
    expect(body.includes(SCRIPT)).toBe(true);
    const image = (await sent(body)) as StillImage;
    expect(image.body.includes(SCRIPT)).toBe(false);
  });

  test('of a JPEG with a camera’s orientation tag is upright', async () => {
    const image = (await sent(withSegment(JPEG, 0xe1, exif(6)))) as StillImage;
    expect(image).toMatchObject({ width: 16, height: 8 });
    expect((await sharp(image.body).metadata()).orientation).toBeUndefined();
    const pixels = await pixelsOf(image.body);
    // Blue at the left, red at the right.
    expect([pixels[0], pixels[2], pixels[45], pixels[47]].map((value) => (value ?? 0) > 128)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test('has lower quality if it would otherwise exceed the size limit', async () => {
    for (const file of [
      await blurred(100, 2_000).jpeg({ quality: 40 }).toBuffer(),
      await blurred(200, 1_000).webp({ quality: 70 }).toBuffer(),
      await noise(530, 1).png({ palette: true }).toBuffer(),
    ]) {
      expect(file.length).toBeLessThan(300_000);
      const image = (await sent(file)) as StillImage;
      expect(image.body.length).toBeLessThanOrEqual(300_000);
      expect(await difference(image.body, file)).toBeLessThan(8);
    }
  });
});

describe('the encoder', () => {
  const { execPath } = process;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'encoder-'));
  });
  afterEach(() => {
    process.execPath = execPath;
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('that crashes on an image leads to its rejection', async () => {
    process.execPath = join(folder, 'crashes');
    await writeFile(process.execPath, '#!/bin/sh\nkill -SEGV $$\n', { mode: 0o755 });
    expect(await sent(png(1, 1))).toBe('The image cannot be decoded.');
    process.execPath = execPath;
    expect(await sent(png(1, 1))).toMatchObject({ width: 1 });
  });

  test('that cannot start is reported as a failure of the service, not of the image', async () => {
    process.execPath = join(folder, 'missing');
    await expect(sent(png(1, 1))).rejects.toThrow('the image encoder failed');
  });
});

describe('the fetch refuses', () => {
  test.each([
    ['HTML', Buffer.from('<html>'), NO_IMAGE],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), NO_IMAGE],
    ['nothing', Buffer.alloc(0), NO_IMAGE],
    ['a GIF', GIF, NO_IMAGE],
    ['an animated PNG', png(2, 2, ANIMATION), NO_IMAGE],
    ['an animated PNG with “IDAT” in a text', png(2, 2, Buffer.concat([text('IDAT'), ANIMATION])), NO_IMAGE],
    ['an animated WebP', ANIMATED_WEBP, NO_IMAGE],
    ['a PNG with a wrong checksum', png(2, 2).fill(7, 20, 24), NO_IMAGE],
    ['a truncated PNG', png(9, 9).subarray(0, -14), NO_IMAGE],
    ['a truncated JPEG', JPEG.subarray(0, -2), NO_IMAGE],
    ['a JPEG with a broken segment', withSegment(JPEG, 0xe0, 'x').fill(0xff, 4, 6), NO_IMAGE],
    ['a truncated WebP', WEBP.subarray(0, -6), NO_IMAGE],
    ['a PNG without pixels', png(0, 3), NO_IMAGE],
    ['a PNG that is too wide', png(2_001, 1), TOO_WIDE],
    ['a PNG with too many pixels', png(2_001, 2_001), TOO_WIDE],
    ['a PNG that claims 3.6 billion pixels', claiming(60_000), TOO_WIDE],
    ['300 kB and a byte', Buffer.alloc(300_001, JPEG), 'The image is larger than 300 kB.'],
  ])('%s', async (_what, body, why) => {
    expect(await sent(body)).toBe(why);
  });

  test('an image of noise that exceeds 300 kB at every quality', async () => {
    const file = await blurred(1_334, 2_000).jpeg({ quality: 8 }).toBuffer();
    expect(file.length).toBeLessThan(300_000);
    expect(await sent(file)).toBe('The image is larger than 300 kB after re-encoding.');
  });

  test('an endless body, of which only the limit is read', async () => {
    let written = 0;
    const url = await served((_req, res) => {
      const more = () => {
        if (res.destroyed) return;
        written += 100_000;
        res.write(Buffer.alloc(100_000), more);
      };
      more();
    });
    expect(await fetched(url)).toBe('The image is larger than 300 kB.');
    expect(written).toBeLessThan(20_000_000);
  });

  test('a redirect, whatever it leads to', async () => {
    let followed = 0;
    const inside = await served((_req, res) => {
      followed += 1;
      res.end(JPEG);
    });
    const url = await served((_req, res) => res.writeHead(302, { location: inside }).end());
    expect(await fetched(url)).toBe("The image's server answered 302; redirects are not followed.");
    expect(followed).toBe(0);
  });

  test('an address of the private network', async () => {
    const why = 'The image could not be fetched: the address is not on the public internet.';
    const here = await served((_req, res) => res.end(JPEG));
    for (const url of [here, 'https://10.0.0.1/x.png', 'https://169.254.169.254/', 'https://localhost/x.png'])
      expect(await fetched(url, false)).toBe(why);
  });

  test('a server that answers too slowly or not at all', async () => {
    const slow = await served((_req, res) => void res.write(JPEG.subarray(0, 9)));
    const silent = await served(() => {});
    for (const url of [slow, silent])
      expect(await fetched(url, true, TIMEOUT_MS)).toBe('The image did not arrive within 0.3 s.');
  });

  test('a response other than 200, and a closed port', async () => {
    expect(await fetched(await served((_req, res) => res.writeHead(404).end()))).toBe(
      "The image's server answered 404.",
    );
    expect(await fetched('http://127.0.0.1:1/x.png')).toBe(
      'The image could not be fetched: connection refused.',
    );
  });
});
