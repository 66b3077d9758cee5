/** Names the version of the `RateLimit-Limit`, `-Remaining` and `-Reset` headers, for the API and the hosted page. */
export const RATE_LIMIT_HEADERS = 'draft-6';
