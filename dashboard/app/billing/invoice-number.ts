import type { Schemas } from '../api/description.ts';
import { words } from '../words/words.ts';

/** A draft has no number, and neither has a draft that became void. */
export function numberOf({ number, status }: Pick<Schemas['Invoice'], 'number' | 'status'>): string {
  return number ?? (status === 'void' ? words.invoices.voidDraft : words.invoices.statuses.draft);
}
