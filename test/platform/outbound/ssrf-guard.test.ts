import { describe, expect, test } from '@jest/globals';
import { isAllowedAddress } from '../../../platform/outbound/ssrf-guard.ts';

const production = { allowLoopback: false };
const development = { allowLoopback: true };

/** Addresses by kind, including the edges of each range. */
const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  'this network': ['0.0.0.0', '0.0.0.1', '0.255.255.255'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'carrier-grade NAT': ['100.64.0.0', '100.127.255.255', '100.100.100.200'],
  'link-local and cloud metadata': ['169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
  "the cloud host's virtual address": ['168.63.129.16'],
  'protocol assignments': ['192.0.0.0', '192.0.0.192', '192.0.0.255'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.255'],
  'relay anycast': ['192.88.99.1'],
  benchmarking: ['198.18.0.0', '198.19.255.255'],
  multicast: ['224.0.0.0', '224.0.0.251', '239.255.255.255'],
  reserved: ['240.0.0.0', '250.1.2.3', '255.255.255.254'],
  broadcast: ['255.255.255.255'],
  'IPv6 unspecified': ['::', '0:0:0:0:0:0:0:0'],
  'IPv4-mapped IPv6': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:169.254.169.254',
  ],
  'IPv4-compatible IPv6': ['::127.0.0.1', '::7f00:1', '::10.0.0.1'],
  'IPv4-translated IPv6': ['::ffff:0:127.0.0.1', '::ffff:0:7f00:1'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::1', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002::1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'IPv6 assignments': [
    '2001:2::1',
    '2001:3::1',
    '2001:10::1',
    '2001:20::1',
    '2001:30::1',
    '2001:1ff:ffff::1',
  ],
  'IPv6 documentation': ['2001:db8::1', '3fff::1', '3fff:fff:ffff::1'],
  'unique-local': ['fc00::1', 'fd00::1', 'fd00:ec2::254', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'IPv6 link-local': ['fe80::1', 'febf::1', 'fe80::1%eth0', 'fe80::1%25eth0'],
  'IPv6 site-local': ['fec0::1', 'feff::1'],
  'IPv6 multicast': ['ff00::1', 'ff02::1', 'ff0e::1'],
  'IPv6 discard': ['100::1', '100::ffff'],
  'segment routing': ['5f00::1'],
  'IPv6 outside global unicast': ['1::1', '200::1', '4000::1', '8000::1', 'e000::1', '1fff::1'],
  'not an address': [
    '',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '1.2.3',
    '1.2.3.4.5',
    '[::1]',
    ' 8.8.8.8',
    '8.8.8.8 ',
    '256.1.1.1',
    '::g',
  ],
};

const LOOPBACK = ['127.0.0.1', '127.0.0.0', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1'];

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:830::200e',
  '2001:4860:4860::8888',
  '2001:200::1',
  '2003::1',
  '2400:cb00::1',
  '3ffe::1',
];

describe.each(Object.entries(FORBIDDEN))('%s', (_kind, addresses) => {
  test.each(addresses)('%s is refused, even in development', (address) => {
    expect(isAllowedAddress(address, production)).toBe(false);
    expect(isAllowedAddress(address, development)).toBe(false);
  });
});

describe('loopback address', () => {
  test.each(LOOPBACK)('%s is refused except in development', (address) => {
    expect(isAllowedAddress(address, production)).toBe(false);
    expect(isAllowedAddress(address, development)).toBe(true);
  });
});

describe('public address', () => {
  test.each(PUBLIC)('%s is allowed', (address) => {
    expect(isAllowedAddress(address, production)).toBe(true);
  });
});
