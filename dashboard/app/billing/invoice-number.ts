import type { Schemas } from '../api/description.ts';
import { words } from '../words/words.ts';

/** Drafts have no number, even after they are voided. */
export function numberOf({ number, status }: Pick<Schemas['Invoice'], 'number' | 'status'>): string {
  return number ?? (status === 'void' ? words.invoices.voidDraft : words.invoices.statuses.draft);
}
