/** Incidents as `npm run ops -- list` prints them and `GET /v1/operations/incidents` answers them. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/environment.ts';
import { inWords, KINDS_OF_INCIDENT } from './incident-kinds.ts';

export const foundIncident = z.object({
  kind: z.enum(KINDS_OF_INCIDENT),
  id: z.string().meta({ description: 'What it is about: every operator command takes it.' }),
  merchant_id: z.string().nullable().meta({ description: 'Null: it concerns the whole installation.' }),
  merchant_name: z.string().nullable(),
  environment: z.enum(ENVIRONMENTS).nullable(),
  amount: z.int().nullable().meta({ description: 'Cents at stake.' }),
  currency: z.string().nullable(),
  since: z.iso.datetime(),
  age_seconds: z.int(),
  reason: z.string().meta({ description: 'Why, as far as the service knows.' }),
  payment_id: z.string().nullable(),
  workflow_id: z.string().nullable().meta({ description: 'In Temporal.' }),
});
export type FoundIncident = z.infer<typeof foundIncident>;

export const incident = foundIncident
  .extend({
    means: z.string(),
    by_itself: z.string().meta({ description: 'What the service does without an operator.' }),
    next: z.string().meta({ description: 'The next command.' }),
    links: z.object({
      temporal_ui: z.string().nullable().meta({ description: 'Null without `TEMPORAL_UI_URL`.' }),
      runbook: z.string(),
    }),
  })
  .meta({ id: 'Incident' });
export type Incident = z.infer<typeof incident>;

/** Where an operator's links lead. */
export interface OperatorLinks {
  /** Temporal UI with its namespace; undefined if it is not configured. */
  readonly temporalUi?: { readonly url: string; readonly namespace: string } | undefined;
  /** Where docs/operations.md is read. */
  readonly runbookUrl: string;
}

export function withLinks(found: FoundIncident, links: OperatorLinks): Incident {
  const { means, byItself, next, runbook } = inWords(found.kind);
  return {
    ...found,
    means,
    by_itself: byItself,
    next: next.replaceAll('{id}', found.id),
    links: {
      temporal_ui: workflowUrl(links, found.workflow_id),
      runbook: `${links.runbookUrl}#${runbook}`,
    },
  };
}

export function workflowUrl({ temporalUi }: OperatorLinks, workflowId: string | null): string | null {
  if (!temporalUi || workflowId === null) return null;
  const { url, namespace } = temporalUi;
  return `${url}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}
