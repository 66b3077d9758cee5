/** The API with authentication of people by a test identity provider. */
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import type { Role } from '../../../domain/core/permissions.ts';
import { type Answer, startTestApi, type TestApi, type TestApiOptions } from './api.ts';
import { startTestProvider, type TestProvider } from './identity.ts';

export interface PeopleApi extends TestApi {
  readonly provider: TestProvider;
  /** Sends requests as a person with this role at this merchant; `platform` people need no merchant. */
  as(role: Role, merchantId?: string): SendAs;
  /** The merchant's audit log, oldest first. */
  audited(merchantId: string): Promise<readonly AuditRow[]>;
}

type SendAs = (method: string, path: string, body?: unknown) => Promise<Answer>;

const auditRow = z.object({
  environment: z.string().nullable(),
  actor: z.string(),
  action: z.string(),
  subject_id: z.string(),
  request_id: z.string().nullable(),
  before: z.any(),
  after: z.any(),
});
type AuditRow = z.infer<typeof auditRow>;

export async function startPeopleApi(options: TestApiOptions = {}): Promise<PeopleApi> {
  const provider = await startTestProvider();
  const api = await startTestApi({ ...options, merchantGate: provider.merchantGate });
  return {
    ...api,
    provider,
    as:
      (role, merchantId = 'ap_mer_none') =>
      async (method, path, body) =>
        api.request(method, path, {
          headers: await provider.as(role, merchantId),
          ...(body !== undefined && { body }),
        }),
    audited: (merchantId) =>
      api.pool.any(sql.type(auditRow)`
        select environment, actor, action, subject_id, request_id, before, after
        from audit_log where merchant_id = ${merchantId} order by id`),
    async stop() {
      await provider.stop();
      await api.stop();
    },
  };
}
