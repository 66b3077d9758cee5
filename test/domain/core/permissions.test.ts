import { expect, test } from '@jest/globals';
import {
  PERMISSIONS,
  type Permission,
  permissionsOf,
  ROLES,
  type Role,
} from '../../../domain/core/permissions.ts';

const allowed = (role: Role, status: 'active' | 'inactive' = 'active') =>
  [...permissionsOf([role], status)].sort();
const all = Object.keys(PERMISSIONS) as Permission[];

test('every role can read, and an analyst can do nothing else', () => {
  for (const role of ROLES) expect(allowed(role)).toContain('read');
  expect(allowed('analyst')).toEqual(['read']);
});

test('owners may do everything except operate the service, and support’s refund limit does not apply to them', () => {
  expect(allowed('owner')).toEqual(
    all.filter((each) => !['operate', 'refund_within_limit'].includes(each)).sort(),
  );
});

test('managers can sell, refund and support customers, but not manage keys, endpoints, identity or the refund limit', () => {
  expect(allowed('manager')).toEqual([
    'manage_branding',
    'manage_catalogue',
    'manage_coupons',
    'manage_subscriptions',
    'move_clock',
    'read',
    'refund',
    'resend_events',
    'serve_subscribers',
  ]);
});

test('support can help subscribers, resend webhooks, and refund within a limit that it cannot set', () => {
  expect(allowed('support')).toEqual(['read', 'refund_within_limit', 'resend_events', 'serve_subscribers']);
});

test('developers can manage the integration but cannot refund', () => {
  expect(allowed('developer')).toEqual([
    'manage_branding',
    'manage_catalogue',
    'manage_endpoints',
    'manage_keys',
    'move_clock',
    'read',
    'resend_events',
  ]);
});

test('platform people create and operate merchants but cannot manage their keys', () => {
  expect(allowed('platform')).toEqual(['manage_identity', 'operate', 'read', 'read_audit']);
});

test('only platform people can change an inactive merchant', () => {
  expect(allowed('owner', 'inactive')).toEqual(['read', 'read_audit']);
  expect(allowed('developer', 'inactive')).toEqual(['read']);
  expect(allowed('platform', 'inactive')).toEqual(allowed('platform'));
});

test('a person with several roles has the permissions of each', () => {
  const both = permissionsOf(['platform', 'owner'], 'active');
  expect([...both].sort()).toEqual(all.filter((each) => each !== 'refund_within_limit').sort());
});
