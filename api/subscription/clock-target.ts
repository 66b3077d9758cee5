import { ApiError } from '../http/errors.ts';

/** Far enough for any test, and bounded. */
const FARTHEST_YEARS = 20;

/** Where a sandbox clock is moved to, in UTC. @throws ApiError 400 beyond 20 years from today */
export function clockTarget(to: string): string {
  const farthest = new Date();
  farthest.setUTCFullYear(farthest.getUTCFullYear() + FARTHEST_YEARS);
  const target = new Date(to);
  if (target > farthest) {
    throw new ApiError('invalid_request', { message: `to is more than ${FARTHEST_YEARS} years ahead.` });
  }
  return target.toISOString();
}
