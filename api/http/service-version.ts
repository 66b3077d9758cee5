/** The contract's date, which every response states as `Service-Version`. */
export const SERVICE_VERSION = '2026-01-01';
