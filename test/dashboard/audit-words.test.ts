/** Every action that the audit log can hold has a text in each language. */
import { expect, test } from '@jest/globals';
import { AUDITED } from '../../contract/merchant/audit.ts';
import { deAudit } from '../../dashboard/app/words/de-audit.ts';
import { enAudit } from '../../dashboard/app/words/en-audit.ts';

test.each(Object.entries({ en: enAudit, de: deAudit }))(
  'audited actions and their labels in %s match one to one',
  (_language, { audit: { subjects, deeds } }) => {
    expect(Object.keys(subjects).toSorted()).toEqual(Object.keys(AUDITED));
    expect(Object.keys(deeds).toSorted()).toEqual([...new Set(Object.values(AUDITED).flat())].toSorted());
  },
);
