/** The routes of operators, equivalent to `npm run ops` in a terminal. */
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import type { Route } from '../http/route.ts';
import { commandSubjectRoute } from './command-subject.ts';
import { confirmRequestRoute } from './confirm-request.ts';
import { explainSubjectRoute } from './explain-subject.ts';
import { eraseCustomerRoute, exportCustomerRoute } from './export-and-erase-customer.ts';
import { listIncidentsRoute } from './list-incidents.ts';
import { listMerchantHealthRoute } from './list-merchant-health.ts';
import { listOperatorAuditRoute } from './list-operator-audit.ts';
import { searchSubjectsRoute } from './search-subjects.ts';
import { showOperatorAccessRoute } from './show-operator-access.ts';
import { withdrawRequestRoute } from './withdraw-request.ts';

export function operationRoutes(context: ApiContext, gate: MerchantGate): readonly Route[] {
  return [
    showOperatorAccessRoute,
    listMerchantHealthRoute,
    listIncidentsRoute,
    listOperatorAuditRoute,
    searchSubjectsRoute,
    explainSubjectRoute,
    commandSubjectRoute,
    confirmRequestRoute,
    withdrawRequestRoute,
    exportCustomerRoute,
    eraseCustomerRoute,
  ].map((route) => route(context, gate));
}
