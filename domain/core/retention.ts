/** Retention, in days, of rows that are not financial records. */
export interface Retention {
  /** Sessions without an attempt to pay, and customers without any other data. */
  readonly abandonedSessions: number;
  /** Clicks on "Pay", with the email that the buyer typed. */
  readonly clicks: number;
  /** Rail webhooks that have been processed. */
  readonly railWebhooks: number;
  readonly railAnswers: number;
  readonly policyReports: number;
  /** The audit log, and operators' requests to workflows. */
  readonly audit: number;
}

export type RetentionKind = keyof Retention;

/**
 * Buyers' data is deleted as soon as questions about the purchase are no longer likely (GDPR, Article 5(1)(e)). The
 * audit log is evidence about money and stays as long as the books: ten years.
 */
export const DEFAULT_RETENTION: Retention = {
  abandonedSessions: 90,
  clicks: 90,
  railWebhooks: 90,
  railAnswers: 90,
  policyReports: 400,
  audit: 3_650,
};

/** Minimum values: shorter retention would break another guarantee. */
export const LEAST_RETENTION: Retention = {
  // Idempotency keys replay the session for 30 days.
  abandonedSessions: 30,
  clicks: 1,
  // Rails repeat a webhook for several days.
  railWebhooks: 14,
  railAnswers: 1,
  policyReports: 1,
  // PCI DSS 4.0, 10.5.1.
  audit: 365,
};
