export const INVOICE_STATUSES = [
  'draft',
  'open',
  'created',
  'void',
  'uncollectible',
  'payment_failed',
] as const;

export const CREDIT_REASONS = ['refund', 'withdrawal', 'dispute', 'uncollectible', 'correction'] as const;
export type CreditReason = (typeof CREDIT_REASONS)[number];
