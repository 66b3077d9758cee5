/** Finds the single subject that an operator names: by our id, the rail's, the merchant's, or the buyer's. */
import type { Subject, SubjectKind } from '../../../contract/operations/subjects.ts';
import { searchSubjects } from '../../../db/operations/search.ts';
import { relatedTo } from '../../../db/operations/subject-facts.ts';
import { plainAmount } from '../../../domain/core/money.ts';
import { type OpsContext, WrongArguments } from './command.ts';
import { printTable } from './table.ts';

export const SHOWN = 50;
/** Related ids are suggested for up to this many matches. */
const SUGGESTED_OF = 5;

export function idOf([named]: readonly string[]): string {
  if (!named || named.includes('\0')) throw new WrongArguments('An id is required.');
  return named;
}

/**
 * @param takes the kinds that the command accepts; if absent, all. If none of them matches, a subject with exactly
 * this id is returned, and the command then reports which kinds it accepts
 * @returns null after printing why there is not exactly one
 */
export async function onlySubject(
  pool: OpsContext['pool'],
  named: string,
  takes?: readonly SubjectKind[],
): Promise<Subject | null> {
  const found = await searchSubjects(pool, named, null, SHOWN);
  const fitting = found.filter(({ kind }) => takes?.includes(kind) ?? true);
  const exact = (fitting.length > 0 ? fitting : found).find(({ id }) => id === named);
  if (exact) return exact;
  const [only, ...others] = fitting;
  if (only && others.length === 0) return only;
  if (only) {
    console.error(`${fitting.length} subjects match ${named}. Choose one:`);
    printSubjects(fitting, console.error);
  } else if (found.length > 0 && takes) await suggest(pool, found, takes, named);
  else console.error(`Nothing has the id or reference ${named}.`);
  return null;
}

/** An attempt's id at the rail does not identify its session, because another attempt may be the open one (rule 44). */
async function suggest(
  pool: OpsContext['pool'],
  found: readonly Subject[],
  takes: readonly SubjectKind[],
  named: string,
): Promise<void> {
  console.error(`The command does not accept ${named} (it takes ${takes.join(' or ')}). It matches:`);
  printSubjects(found, console.error);
  const kinds: readonly string[] = takes;
  const related = await Promise.all(found.slice(0, SUGGESTED_OF).map((each) => relatedTo(pool, each)));
  const fitting = related.flat().filter(({ kind }) => kinds.includes(kind));
  if (fitting.length === 0) return;
  console.error('Related:');
  const rows = fitting.map(({ kind, id, state }) => [kind, id, state]);
  printTable(['KIND', 'ID', 'STATE'], rows, { write: console.error });
}

export function printSubjects(found: readonly Subject[], write = console.log): void {
  if (found.length === 0) {
    write('Nothing was found.');
    return;
  }
  printTable(
    ['KIND', 'ID', 'STATE', 'AMOUNT', 'CREATED', 'FOUND BY'],
    found.map((each) => [each.kind, each.id, each.state, amountOf(each), each.created_at, each.found_by]),
    { write },
  );
}

export function amountOf({ amount, currency }: Pick<Subject, 'amount' | 'currency'>): string {
  return amount === null ? '-' : plainAmount(amount, currency ?? '');
}
