/** PATCH /v1/invoice-settings: any JSON object, echoed and not stored. */
import { z } from 'zod';
import { requestId } from '../core/answers.ts';

export const invoiceSettings = z.record(z.string(), z.json()).meta({ id: 'InvoiceSettings' });

export const invoiceSettingsAnswer = z
  .object({ request_id: requestId })
  .catchall(z.json())
  .meta({ id: 'InvoiceSettingsAnswer' });
