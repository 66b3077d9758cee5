import { CURRENCIES } from '../../domain/core/money.ts';

/** The text before the first route of the reference. */
export const INTRODUCTION = `
Card payments and subscriptions through a hosted page.

1. Your server creates a session with \`POST /v1/checkouts\` and sends the buyer's browser to its \`hostedUrl\`.
2. The page takes the payment. A return to \`successUrl\` or \`failUrl\` is navigation and proves no payment.
3. **Signed webhooks report the outcome.** Deliver on \`payment.succeeded\`; grant and remove access on the
   \`subscription.*\` events.

## Conventions

- **Environments.** A key that begins with \`ap_test_\` works in the sandbox, one with \`ap_live_\` in production. Going live
  changes only the key and the webhook secret. Keys belong on servers, never in browsers or apps.
- **Money** is in integer cents of ${CURRENCIES.join(' or ')}, tax included.
- **Shapes.** A single resource is a flat object with \`request_id\` beside its fields; a list is
  \`{ data, request_id }\`, newest first. A list with the parameter \`cursor\` has pages; the others are complete. Absent values are \`null\`, never omitted.
  Instants are ISO 8601 in UTC with milliseconds.
- **Unknown fields** of a request are ignored and not stored.
- **Errors** are \`{ code, message, request_id }\`; \`change_needs_period_end\` and \`preview_outdated\` add \`total\`. Branch on \`code\`; \`message\` is for people and may change. Another method on
  a known path is 405 \`method_not_allowed\` with \`Allow\`, an unknown path 404 \`route_not_found\`.
- **Idempotency.** Where a route takes an \`Idempotency-Key\`, equal requests have one effect and one response
  (\`Idempotency-Replayed: true\` from the second on); the key with another method, path or body is 409. After a time-out, 408, 409
  \`idempotency_key_in_progress\`, 429 or 5xx repeat the request *with the same key*: it resumes. Use a
  new key for a new purchase.
- **Limits.** Bodies have at most 102,400 bytes. Requests are rate-limited per key (lower with an \`ap_test_\` key) and per address: see the \`RateLimit-*\` headers, and
  \`Retry-After\` on 429.
- **Versions.** The path begins with \`/v1\`. Send \`Service-Version: 2026-01-01\`; another date does not select another contract.
`.trim();
