import { expect, test } from '@jest/globals';
import { OPEN_STATUSES } from '../../../db/payment/open-payment.ts';
import { isOpen, PAYMENT_STATUSES } from '../../../domain/payment/payment.ts';

test('the database and the domain agree on which payments are open', () => {
  const written = [...OPEN_STATUSES.sql.matchAll(/'(\w+)'/g)].map(([, status]) => status);
  expect(written.toSorted()).toEqual(PAYMENT_STATUSES.filter(isOpen).toSorted());
});
