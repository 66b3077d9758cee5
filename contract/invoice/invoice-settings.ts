/** PATCH /v1/invoice-settings: any JSON object, echoed and not stored. */
import { z } from 'zod';
import { requestId } from '../core/answers.ts';
import { anyJson } from '../core/fields.ts';

export const invoiceSettings = z.record(z.string(), anyJson).meta({ id: 'InvoiceSettings' });

export const invoiceSettingsAnswer = z
  .object({ request_id: requestId })
  .catchall(anyJson)
  .meta({ id: 'InvoiceSettingsAnswer' });
