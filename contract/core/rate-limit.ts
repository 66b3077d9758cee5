/** `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`, on the API and the hosted page alike. */
export const RATE_LIMIT_HEADERS = 'draft-6';
