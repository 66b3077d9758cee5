/**
 * Parsers of untrusted input, against random input: they accept valid input, reject everything else with
 * their own errors, and never throw anything else. fast-check prints the seed of a failure.
 */
import { BlockList, isIP } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { readBearer } from '../../api/http/bearer.ts';
import { ApiError } from '../../api/http/errors.ts';
import { readCursor } from '../../api/http/lists/cursor.ts';
import { browserUrl, email, text } from '../../contract/core/text.ts';
import { createApiKey, environmentOfApiKey } from '../../contract/merchant/api-key.ts';
import { canonicalOrigin } from '../../contract/merchant/storefront-clients.ts';
import { refundRequest } from '../../contract/refund/refund.ts';
import { advanceRequest } from '../../contract/subscription/subscription-operations.ts';
import { createWebhookSecret, signWebhook } from '../../contract/webhook/webhook-signature.ts';
import { plainAmount } from '../../domain/core/money.ts';
import { taxIncludedCents } from '../../domain/core/tax.ts';
import { verifyWebhook, WebhookVerificationError } from '../../packages/webhooks/src/index.ts';
import { retryAfterSeconds } from '../../platform/outbound/retry-after.ts';
import { isAllowedAddress } from '../../platform/outbound/ssrf-guard.ts';

const RUNS = { numRuns: 500 };
const NOW_SECONDS = 1_800_000_000;

/** Any text, and text of the characters that the parsers treat specially. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'tv1=,. :/@#?\\[]%*abcAZ09-_\0\t\n\u00a0\u2028\ud800') }),
);
const forAll = <Input>(arbitrary: fc.Arbitrary<Input>, holds: (input: Input) => void) =>
  fc.assert(fc.property(arbitrary, holds), RUNS);

/** The text with one character replaced, added or taken away. */
const damaged = (original: string) =>
  fc
    .tuple(fc.nat(original.length - 1), fc.constantFrom('0', 'f', 'Z', ',', ' '), fc.nat(2))
    .map(([at, other, how]) =>
      how === 0
        ? original.slice(0, at) + original.slice(at + 1)
        : original.slice(0, at) + other + original.slice(at + (how === 1 ? 1 : 0)),
    )
    .filter((changed) => changed !== original);

describe('headers', () => {
  test('an extracted bearer token has no white space and is part of its header', () => {
    forAll(fc.tuple(fc.constantFrom('', 'Bearer ', 'bearer  ', 'Basic '), anyText), ([scheme, rest]) => {
      const token = readBearer(scheme + rest);
      if (token === null) return;
      expect(/\s/.test(token)).toBe(false);
      expect(scheme + rest).toContain(token);
    });
  });

  test('an API key with one changed character is malformed', () => {
    const key = createApiKey('sandbox');
    expect(environmentOfApiKey(key)).toBe('sandbox');
    forAll(damaged(key), (changed) => expect(environmentOfApiKey(changed)).toBeNull());
    forAll(anyText, (any) => expect(environmentOfApiKey(any)).toBeNull());
  });

  test('Retry-After is parsed as a non-negative wait, or rejected', () => {
    const nowMs = NOW_SECONDS * 1_000;
    forAll(
      fc.oneof(
        anyText,
        fc.constantFrom('Sun', 'Fri, ', 'Mon 1').chain((day) => anyText.map((t) => day + t)),
      ),
      (any) => {
        const seconds = retryAfterSeconds(any, nowMs);
        if (seconds !== null) expect(seconds).toBeGreaterThanOrEqual(0);
      },
    );
    forAll(fc.nat(1_000_000), (seconds) => {
      const date = new Date(nowMs + seconds * 1_000).toUTCString();
      expect(retryAfterSeconds(date, nowMs)).toBe(seconds);
      expect(retryAfterSeconds(` ${seconds} `, nowMs)).toBe(seconds);
    });
  });

  test('a cursor that the API did not issue gets 400', () => {
    const position = z.object({ at: z.string(), id: z.string() });
    forAll(anyText, (any) => {
      try {
        position.parse(readCursor(any, position));
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
      }
    });
  });
});

describe('signatures', () => {
  const secret = createWebhookSecret();
  const rawBody = '{"id":"evt_1","type":"payment.succeeded"}';
  const signature = signWebhook({ rawBody, timestamp: NOW_SECONDS, secrets: [secret] });
  const verify = (body: string, header: string, key = secret) =>
    verifyWebhook({ rawBody: body, signature: header, secret: key, nowSeconds: NOW_SECONDS });

  test('any body is verified with its signature', () => {
    forAll(fc.json(), (json) => {
      const header = signWebhook({
        rawBody: json,
        timestamp: NOW_SECONDS,
        secrets: [createWebhookSecret(), secret],
      });
      expect(verify(json, header)).toEqual(JSON.parse(json));
    });
  });

  test('a body, secret or header with one changed character is rejected', () => {
    const refused = (work: () => unknown) => expect(work).toThrow(WebhookVerificationError);
    forAll(damaged(rawBody), (body) => refused(() => verify(body, signature)));
    const digest = signature.split('v1=')[1] ?? '';
    forAll(damaged(digest), (hex) => refused(() => verify(rawBody, `t=${NOW_SECONDS},v1=${hex}`)));
    forAll(damaged(`${NOW_SECONDS}`), (t) => refused(() => verify(rawBody, `t=${t},v1=${digest}`)));
    forAll(anyText, (header) => refused(() => verify(rawBody, header)));
  });
});

describe('origins and URLs', () => {
  test('a canonical origin equals the origin that a browser sends, and canonicalising it again changes nothing', () => {
    const parts = fc.tuple(
      fc.constantFrom('https://', 'http://', 'HTTPS://', 'ftp://', 'javascript:', '//', ''),
      fc.oneof(
        fc.domain(),
        fc.ipV4(),
        fc.constantFrom('localhost', '[::1]', '127.0.0.1.evil.example', '*'),
        anyText,
      ),
      fc.constantFrom('', ':443', ':8080', ':0', '/', '/path', '?q', '#f', '@evil.example', '\\evil.example'),
    );
    forAll(fc.tuple(parts, fc.boolean()), ([pieces, allowLoopback]) => {
      const origin = canonicalOrigin(pieces.join(''), allowLoopback);
      if (origin === null) return;
      expect(new URL(origin).origin).toBe(origin);
      expect(canonicalOrigin(origin, allowLoopback)).toBe(origin);
      expect(origin).not.toMatch(/[*@\\\s]/);
      if (!origin.startsWith('https://')) {
        expect(allowLoopback).toBe(true);
        expect(['localhost', '[::1]']).toContain(new URL(origin).hostname.replace(/^127\..*/, 'localhost'));
      }
    });
  });

  test('a URL for browsers leads to https or to this machine', () => {
    const schema = browserUrl(500);
    const urls = fc.oneof(
      fc.webUrl({ validSchemes: ['http', 'https', 'ftp'], withQueryParameters: true, withFragments: true }),
      fc
        .tuple(fc.constantFrom('javascript:', 'data:', 'http://localhost', 'http://127.0.0.1'), anyText)
        .map((t) => t.join('')),
      anyText,
    );
    forAll(urls, (any) => {
      const { success } = schema.safeParse(any);
      if (!success) return;
      const { protocol, hostname } = new URL(any);
      expect(any).not.toMatch(/[\s\\\0]/);
      if (protocol !== 'https:') expect(['localhost', '127.0.0.1']).toContain(hostname);
    });
  });

  test('an accepted text can be stored, and an accepted email has one @', () => {
    forAll(anyText, (any) => {
      const stored = text(50).safeParse(any).success;
      const isText = any.isWellFormed() && [...any].every((each) => /[\t\n\r\P{C}\p{Cf}]/u.test(each));
      expect(stored).toBe(isText && [...any].length <= 50);
    });
    const emails = fc.oneof(
      fc.emailAddress(),
      fc.tuple(anyText, anyText).map((sides) => sides.join('@')),
    );
    forAll(emails, (any) => {
      const { data } = email(320).safeParse(any);
      if (data !== undefined) expect(data).toMatch(/^[^@\s]+@[^@\s]+\.[^@\s]+$/);
    });
  });
});

describe('addresses', () => {
  /** The registries of special addresses (RFC 6890 and later), apart from the library that the guard uses. */
  const SPECIAL_4 = [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
    '168.63.129.16/32',
  ];
  const special = new BlockList();
  for (const cidr of SPECIAL_4) {
    const [address = '', bits] = cidr.split('/');
    special.addSubnet(address, Number(bits), 'ipv4');
  }
  const inside = (cidr: string) => {
    const [address = '', bits] = cidr.split('/');
    const base = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    return fc.nat(2 ** (32 - Number(bits)) - 1).map((offset) => base + offset);
  };
  const dotted = (value: number) =>
    [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
  const hex = (value: number) =>
    value
      .toString(16)
      .padStart(8, '0')
      .replace(/(....)$/, ':$1');
  const strict = { allowLoopback: false };

  test('no special IPv4 address is allowed, in any form', () => {
    forAll(fc.constantFrom(...SPECIAL_4).chain(inside), (value) => {
      const forms = [
        dotted(value),
        `::ffff:${dotted(value)}`,
        `::ffff:${hex(value)}`,
        `::${hex(value)}`,
        `64:ff9b::${hex(value)}`,
        `2002:${hex(value)}::1`,
        `${value}`,
        `0x${value.toString(16)}`,
        dotted(value).replace(/^(\d+)/, (part) => `0${Number(part).toString(8)}`),
      ];
      for (const form of forms)
        expect({ form, is: isAllowedAddress(form, strict) }).toEqual({ form, is: false });
    });
  });

  test('only public addresses are allowed, and any other text is refused', () => {
    forAll(fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), anyText), (any) => {
      if (!isAllowedAddress(any, strict)) return;
      expect(isIP(any)).not.toBe(0);
      if (isIP(any) === 4) expect(special.check(any, 'ipv4')).toBe(false);
      else expect(any).toMatch(/^[23]/);
    });
  });
});

describe('instants and money', () => {
  test('every accepted instant is a valid date, whatever its offset', () => {
    const instants = fc.date({
      noInvalidDate: true,
      min: new Date('1970-01-01'),
      max: new Date('9999-12-30'),
    });
    const offsets = fc.tuple(fc.constantFrom('+', '-'), fc.nat(23), fc.nat(59));
    forAll(fc.tuple(instants, offsets), ([at, [sign, hours, minutes]]) => {
      const two = (value: number) => `${value}`.padStart(2, '0');
      const shiftMs = (sign === '+' ? 1 : -1) * (hours * 60 + minutes) * 60_000;
      const local = new Date(at.getTime() + shiftMs).toISOString();
      if (local.length !== 24) return;
      const to = local.replace('Z', `${sign}${two(hours)}:${two(minutes)}`);
      expect(Date.parse(advanceRequest.parse({ to }).to)).toBe(at.getTime());
    });
    forAll(
      fc.oneof(anyText, fc.json(), fc.string({ unit: fc.constantFrom(...'0123456789-:.TZ+ ') })),
      (to) => {
        if (advanceRequest.safeParse({ to }).success) expect(Number.isNaN(Date.parse(to))).toBe(false);
      },
    );
  });

  test('an accepted amount is whole positive cents', () => {
    const values = fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger(), anyText, fc.anything());
    forAll(values, (amount) => {
      const { success, data } = refundRequest.safeParse({ paymentId: 'ap_pay_1', amount });
      if (!success || data.amount === null || data.amount === undefined) return;
      expect(Number.isSafeInteger(data.amount) && data.amount > 0).toBe(true);
      expect(data.amount).toBe(amount);
    });
  });

  test('a formatted amount includes all of its cents', () => {
    forAll(fc.integer({ min: 0, max: 10 ** 13 }), (cents) => {
      expect(
        plainAmount(cents, 'EUR')
          .replace(/[^\d]/g, '')
          .replace(/^0+(?=\d)/, ''),
      ).toBe(`${cents}`);
    });
    forAll(fc.tuple(fc.nat(2_147_483_647), fc.nat(10_000)), ([gross, hundredths]) => {
      const tax = taxIncludedCents(gross, hundredths / 100);
      const exact =
        (BigInt(gross) * BigInt(hundredths) * 2n + BigInt(10_000 + hundredths)) /
        BigInt(2 * (10_000 + hundredths));
      expect(BigInt(tax)).toBe(exact);
    });
  });
});
