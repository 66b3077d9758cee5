/** The adapter's operations, as `GET /requests` and the faults name them. */
export const OPERATIONS = [
  'authorize',
  'lookup',
  'cancel',
  'chargeStored',
  'refund',
  'lookupRefund',
  'refundedTotal',
  'listDisputes',
  'listSince',
  'showAccount',
  'showToken',
] as const;
export type Operation = (typeof OPERATIONS)[number];
