/** Incidents as printed by `npm run ops -- list` and returned by `GET /v1/operations/incidents`. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { inWords, KINDS_OF_INCIDENT } from './incident-kinds.ts';
import { type OperatorRequest, operatorRequest } from './requests.ts';

export const foundIncident = z.object({
  kind: z.enum(KINDS_OF_INCIDENT),
  id: z.string().meta({ description: 'The id of its subject, for `why` and the next command.' }),
  merchant_id: z.string().nullable().meta({ description: 'Null if it concerns the whole installation.' }),
  merchant_name: z.string().nullable(),
  environment: z.enum(ENVIRONMENTS).nullable(),
  amount: z.int().nullable().meta({ description: 'Cents at stake.' }),
  currency: z.string().nullable(),
  since: z.iso.datetime(),
  age_seconds: z.int(),
  reason: z.string().meta({ description: 'The reason, as far as the service knows it.' }),
  payment_id: z.string().nullable(),
  workflow_id: z.string().nullable().meta({ description: 'In Temporal.' }),
  /** Replaces the next command of the kind; `{id}` and `{since}` stand for the incident's fields. */
  next: z.string().nullable(),
});
export type FoundIncident = z.infer<typeof foundIncident>;

export const incident = foundIncident
  .extend({
    means: z.string(),
    by_itself: z.string().meta({ description: 'What the service does without an operator.' }),
    next: z.string().meta({ description: 'The next command.' }),
    links: z
      .object({
        temporal_ui: z.string().nullable().meta({ description: 'Null without `TEMPORAL_UI_URL`.' }),
        runbook: z.string(),
      })
      .meta({ id: 'IncidentLinks' }),
    request: operatorRequest.nullable().meta({
      description:
        'For `second_person_needed`, to people who may read the audit log: the requested command. Null in webhooks.',
    }),
  })
  .meta({ id: 'Incident' });
export type Incident = z.infer<typeof incident>;

export const exampleIncident: Incident = {
  kind: 'reconciliation_required',
  id: 'ap_chk_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  merchant_id: 'ap_mer_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  merchant_name: 'Harbour Coffee',
  environment: 'production',
  amount: 1_900,
  currency: 'EUR',
  since: '2026-01-31T09:30:00.000Z',
  age_seconds: 420,
  reason: 'the outcome of the charge is unknown',
  payment_id: 'ap_pay_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  workflow_id: 'ap_chk_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  means: 'The rail gave no clear answer to a charge or a refund. The buyer may have been charged.',
  by_itself: 'Look-ups continue, eventually once a day; a rail webhook triggers one at once.',
  next: 'npm run ops -- ask ap_chk_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  links: { temporal_ui: null, runbook: 'docs/on-call.md#reconciliation_required' },
  request: null,
};

/** Where an operator's links point. */
export interface OperatorLinks {
  /** Temporal UI with its namespace; undefined if it is not configured. */
  readonly temporalUi?: { readonly url: string; readonly namespace: string } | undefined;
  /** Base URL of docs/on-call.md. */
  readonly runbookUrl: string;
}

export function withLinks(
  found: FoundIncident,
  links: OperatorLinks,
  request: OperatorRequest | null = null,
): Incident {
  const { means, byItself, next } = inWords(found.kind);
  return {
    ...found,
    means,
    by_itself: byItself,
    next: (found.next ?? next).replace('{id}', found.id).replace('{since}', found.since),
    links: {
      temporal_ui: workflowUrl(links, found.workflow_id),
      runbook: `${links.runbookUrl}#${found.kind}`,
    },
    request,
  };
}

export function workflowUrl({ temporalUi }: OperatorLinks, workflowId: string | null): string | null {
  if (!temporalUi || workflowId === null) return null;
  const { url, namespace } = temporalUi;
  return `${url}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}
