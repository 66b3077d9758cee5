/** Pictures of products are fetched through the guard of webhooks, and only whole still images are kept. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createWebhookAgent } from '../../../../platform/outbound/agent.ts';
import { fetchImage } from '../../../../platform/outbound/image/fetch-image.ts';
import type { StillImage } from '../../../../platform/outbound/image/image-file.ts';
import { createResolve } from '../../../../platform/outbound/resolve.ts';
import {
  ALPHA_WEBP,
  ANIMATED_WEBP,
  chunk,
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
  return fetchImage(url, { agent, timeoutMs });
}

/** Served without a file name or type, which the service would not trust. */
const sent = async (body: Buffer) => fetched(await served((_req, res) => res.end(body)));

describe('the stored image', () => {
  test.each([
    ['a PNG', png(30, 20), 'png', 30, 20],
    ['a JPEG', JPEG, 'jpg', 1, 1],
    ['a lossy WebP', WEBP, 'webp', 1, 1],
    ['a lossless WebP', LOSSLESS_WEBP, 'webp', 1, 1],
    ['a WebP with alpha', ALPHA_WEBP, 'webp', 1, 1],
    ['the largest size', png(2_000, 2_000), 'png', 2_000, 2_000],
  ] as const)('of %s is unchanged', async (_what, body, type, width, height) => {
    expect(await sent(body)).toEqual({ type, width, height, body });
  });

  test('of a PNG lacks its texts and trailing data', async () => {
    const text = chunk('tEXt', Buffer.from('Author\0Ada'));
    const noisy = Buffer.concat([png(2, 2, text), Buffer.from('<script>')]);
    expect(await sent(noisy)).toMatchObject({ body: png(2, 2) });
  });

  test('of a JPEG lacks its comments, locations and trailing data', async () => {
    const noisy = withSegment(withSegment(JPEG, 0xfe, 'Ada'), 0xe1, 'http://ns.adobe.com/xap/1.0/\0x');
    expect(await sent(Buffer.concat([noisy, Buffer.from('<script>')]))).toMatchObject({ body: JPEG });
  });

  test('of a JPEG keeps its orientation and nothing else of Exif', async () => {
    // Big endian; one entry of type SHORT, followed by the camera's name.
    const exif = (more: string) =>
      `Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0${more || '\0\0\0\0'}`;
    const image = (await sent(withSegment(JPEG, 0xe1, exif('\0\0\0\0Camera of Ada')))) as StillImage;
    expect(image.body.toString('latin1')).not.toContain('Ada');
    expect(image.body).toEqual(withSegment(JPEG, 0xe1, exif('')));
  });
});

describe('the fetch refuses', () => {
  test.each([
    ['HTML', Buffer.from('<html>'), NO_IMAGE],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), NO_IMAGE],
    ['nothing', Buffer.alloc(0), NO_IMAGE],
    ['a GIF', GIF, NO_IMAGE],
    ['an animated PNG', png(2, 2, chunk('acTL', Buffer.alloc(8))), NO_IMAGE],
    ['an animated WebP', ANIMATED_WEBP, NO_IMAGE],
    ['a PNG with a wrong checksum', png(2, 2).fill(7, 20, 24), NO_IMAGE],
    ['a truncated PNG', png(9, 9).subarray(0, -14), NO_IMAGE],
    ['a truncated JPEG', JPEG.subarray(0, -2), NO_IMAGE],
    ['a JPEG with a broken segment', withSegment(JPEG, 0xe0, 'x').fill(0xff, 4, 6), NO_IMAGE],
    ['a truncated WebP', WEBP.subarray(0, -6), NO_IMAGE],
    ['a PNG without pixels', png(0, 3), 'The image has no pixels.'],
    ['a PNG that is too wide', png(2_001, 1), 'The image has more than 2000 pixels a side.'],
    ['300 kB and a byte', Buffer.alloc(300_001, JPEG), 'The image is larger than 300 kB.'],
  ])('%s', async (_what, body, why) => {
    expect(await sent(body)).toBe(why);
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
