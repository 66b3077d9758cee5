import { describe, expect, test } from '@jest/globals';
import type { FoundIncident } from '../../../contract/operations/incidents.ts';
import { groupsOf, type OpenGroup } from '../../../db/operations/incident-groups.ts';

const doubtAt = (merchant: string): FoundIncident => ({
  kind: 'reconciliation_required',
  id: `ap_chk_${merchant}`,
  merchant_id: merchant,
  merchant_name: merchant,
  environment: 'production',
  amount: 900,
  currency: 'EUR',
  since: '2026-05-03T10:00:00.000Z',
  age_seconds: 60,
  reason: 'the outcome of the charge is unknown',
  payment_id: null,
  workflow_id: null,
  next: null,
});

const open: OpenGroup = {
  id: 'ap_ntc_1',
  kind: 'reconciliation_required',
  environment: 'production',
  subjects: ['ap_mer_1:production', 'ap_mer_2:production'],
  isJoined: false,
};

describe('a group of two merchants, of which only one is found again', () => {
  test('loses the other merchant if the list is complete', () => {
    const [group] = groupsOf([doubtAt('ap_mer_1')], [open], true);
    expect(group).toMatchObject({ id: 'ap_ntc_1', subjects: ['ap_mer_1:production'] });
  });

  test('keeps the other merchant if the list was cut off, so that it is not reported again', () => {
    const [group] = groupsOf([doubtAt('ap_mer_1')], [open], false);
    expect(group).toMatchObject({ id: 'ap_ntc_1', subjects: open.subjects });
  });
});

test('a group sums the amounts at stake, not those of settled or late money', () => {
  const doubts = ['ap_mer_1', 'ap_mer_2'].map(doubtAt);
  const late = doubts.map((each): FoundIncident => ({ ...each, kind: 'overdue' }));
  const amounts = groupsOf([...doubts, ...late], [], true).map(({ kind, content }) => [
    kind,
    content.amounts,
  ]);
  expect(amounts).toEqual([
    ['reconciliation_required', [{ amount: 1_800, currency: 'EUR' }]],
    ['overdue', []],
  ]);
});
