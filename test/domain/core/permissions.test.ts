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

test('every role can read', () => {
  for (const role of ROLES) expect(allowed(role)).toContain('read');
});

test('support can read, and serve subscribers', () => {
  expect(allowed('support')).toEqual(['read', 'serve_subscribers']);
});

test("developers cannot change the merchant's identity or read the audit; only platform people operate", () => {
  expect(allowed('developer')).toEqual(['administer', 'manage_billing', 'manage_keys', 'read']);
  expect(allowed('owner')).toEqual(all.filter((permission) => permission !== 'operate').sort());
});

test('platform people create and operate merchants but cannot manage their keys', () => {
  expect(allowed('platform')).toEqual(['manage_identity', 'operate', 'read', 'read_audit']);
});

test('only platform people change an inactive merchant', () => {
  expect(allowed('owner', 'inactive')).toEqual(['read', 'read_audit']);
  expect(allowed('developer', 'inactive')).toEqual(['read']);
  expect(allowed('platform', 'inactive')).toEqual(allowed('platform'));
});

test('several roles add up', () => {
  expect([...permissionsOf(['platform', 'owner'], 'active')].sort()).toEqual([...all].sort());
});
