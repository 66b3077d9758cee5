export const INVOICE_STATUSES = [
  'draft',
  'open',
  'created',
  'void',
  'uncollectible',
  'payment_failed',
] as const;
