/** Requests by route and code, with the names of OpenTelemetry's semantic conventions for HTTP servers. */
import { counter, histogram, WAIT_BUCKETS } from './metrics.ts';

const duration = histogram('http.server.request.duration', {
  unit: 's',
  description: 'Time from a request to the end of its response, event streams excluded.',
  buckets: WAIT_BUCKETS,
});
const aborted = counter('http.server.aborted_requests', {
  unit: '{request}',
  description: 'Requests whose client disconnected before the end of the response, event streams excluded.',
});

export interface AnsweredRequest {
  readonly method: string;
  /** The pattern, never the path; empty if no route matched. */
  readonly route: string;
  readonly status: number;
  readonly errorCode: string | undefined;
  readonly seconds: number;
  readonly isAborted: boolean;
}

export function recordRequest(request: AnsweredRequest): void {
  const route = { 'http.request.method': methodOf(request.method), 'http.route': request.route || 'none' };
  if (request.isAborted) {
    aborted.add(1, route);
    return;
  }
  duration.record(request.seconds, {
    ...route,
    'http.response.status_code': request.status,
    ...(request.errorCode && { 'error.type': request.errorCode }),
  });
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Groups unknown methods: clients may invent them, and each would become its own series. */
function methodOf(method: string): string {
  return METHODS.has(method) ? method : '_OTHER';
}
