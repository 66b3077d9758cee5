/**
 * The audit log across merchants, printed by `npm run ops -- audit` and returned by `GET /v1/operations/audit`.
 */
import { z } from 'zod';
import { pageOf } from '../core/answers.ts';
import { EXAMPLE_MERCHANT_ID } from '../core/examples.ts';
import { requiredText } from '../core/text.ts';
import { auditEntry, auditQuery, exampleAudit } from '../merchant/audit.ts';

export const operatorAuditEntry = auditEntry
  .extend({
    merchant_id: z.string().nullable().meta({ description: 'Null if it concerns the whole installation.' }),
  })
  .meta({ id: 'OperatorAuditEntry' });

export const operatorAuditQuery = auditQuery.extend({
  actor: requiredText(320).optional().meta({
    description: 'Only changes by this person or program, including those that they confirmed.',
  }),
  merchant_id: requiredText(64).optional(),
  subject_id: requiredText(128).optional().meta({ description: 'Only changes of this subject.' }),
});

const exampleOperatorAudit = { ...exampleAudit, merchant_id: EXAMPLE_MERCHANT_ID };

export const operatorAuditAnswer = pageOf(operatorAuditEntry, exampleOperatorAudit);
