/** A route as data: the server mounts it, and answers its other methods with 405. */
import type { RequestHandler } from 'express';

export interface Route {
  readonly method: 'get' | 'post' | 'patch' | 'delete' | 'options';
  readonly path: string;
  readonly handlers: readonly RequestHandler[];
}
