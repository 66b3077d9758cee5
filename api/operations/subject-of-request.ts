import type { Request, Response } from 'express';
import type { Subject } from '../../contract/operations/subjects.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { subjectById } from './command-handlers.ts';
import { merchantsSeenBy } from './operator-gate.ts';

/** Ids of this service and of the rail, rails (`<rail>:<environment>`), and lost requests (`ap_sub_…:op_…`). */
const ID = /^[\w:.-]{1,128}$/;

/**
 * @throws ApiError 404 `operation_subject_not_found`, including for subjects of merchants that the person may
 * not see
 */
export async function subjectOfRequest(
  { pool }: ApiContext,
  request: Request,
  response: Response,
): Promise<Subject> {
  const id = String(request.params.id);
  const known = ID.test(id) ? await subjectById(pool, id, merchantsSeenBy(response)) : null;
  if (!known) throw new ApiError('operation_subject_not_found');
  return known;
}
