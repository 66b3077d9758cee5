/** A route as data: the server mounts it, answers other methods with 405, and describes it at /openapi.json. */
import type { RequestHandler } from 'express';
import type { DescribedOperation } from '../../contract/core/operation.ts';

export interface Route {
  readonly method: 'get' | 'post' | 'patch' | 'delete' | 'options';
  readonly path: string;
  readonly handlers: readonly RequestHandler[];
  /** Null for a route of the hosted page or the reference, which are not part of the API. */
  readonly describe: DescribedOperation | null;
}
