/** Groups incidents by probable cause, for the messages to operators. */
import { z } from 'zod';
import { inWords, KINDS_OF_INCIDENT } from '../../contract/operations/incident-kinds.ts';
import { type FoundIncident, foundIncident } from '../../contract/operations/incidents.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { camelCased } from '../core/pool.ts';

const MOST_WORST = 5;

/** A stored group that has not ended. */
export const openGroup = camelCased({
  id: z.string(),
  kind: z.enum(KINDS_OF_INCIDENT),
  environment: z.enum(ENVIRONMENTS).nullable(),
  subjects: z.array(z.string()),
  is_joined: z.boolean(),
});
export type OpenGroup = z.infer<typeof openGroup>;

export const groupContent = z.object({
  incident: foundIncident,
  worst: z.array(foundIncident),
  merchants: z.number(),
  amounts: z.array(z.object({ amount: z.number(), currency: z.string() })),
});

export interface IncidentGroup {
  /** Null if the group is not stored yet. */
  readonly id: string | null;
  readonly kind: FoundIncident['kind'];
  readonly environment: FoundIncident['environment'];
  readonly subjects: readonly string[];
  readonly ids: readonly string[];
  readonly content: z.infer<typeof groupContent>;
}

/**
 * A merchant's incidents of a kind stay in the group that contains them. Others join a group of their kind and
 * environment that still accepts merchants, or form a new group. An incident of the whole installation is a separate
 * group, and so is a command that waits for a person.
 * @param found oldest first
 * @param isComplete false if `found` is truncated: a merchant missing from `found` then stays in its group
 */
export function groupsOf(
  found: readonly FoundIncident[],
  open: readonly OpenGroup[],
  isComplete: boolean,
): readonly IncidentGroup[] {
  const holders = new Map(
    open.flatMap((group) => group.subjects.map((subject) => [`${group.kind} ${subject}`, group.id])),
  );
  const joined = new Map(
    open.filter((group) => group.isJoined && group.environment).map((group) => [causeOf(group), group.id]),
  );
  const nameOf = (each: FoundIncident) =>
    holders.get(`${each.kind} ${subjectOf(each)}`) ??
    (standsAlone(each) ? `${each.kind} ${each.id}` : (joined.get(causeOf(each)) ?? causeOf(each)));
  const stored = new Map(open.map((group) => [group.id, group]));
  return [...Map.groupBy(found, nameOf)].map(([name, all]) => {
    const group = stored.get(name);
    return groupOf(group?.id ?? null, all, isComplete ? [] : (group?.subjects ?? []));
  });
}

type Cause = Pick<FoundIncident, 'kind' | 'environment'>;
const causeOf = ({ kind, environment }: Cause) => `${kind} in ${environment}`;
const standsAlone = ({ kind, merchant_id: merchant }: FoundIncident) =>
  merchant === null || kind === 'second_person_needed';
const subjectOf = (found: FoundIncident) =>
  standsAlone(found) ? found.id : `${found.merchant_id}:${found.environment}`;

function groupOf(id: string | null, all: readonly FoundIncident[], kept: readonly string[]): IncidentGroup {
  const [oldest] = all as [FoundIncident];
  const merchants = new Set(all.flatMap(({ merchant_id: merchant }) => merchant ?? []));
  return {
    id,
    kind: oldest.kind,
    environment: standsAlone(oldest) ? null : oldest.environment,
    subjects: [...new Set([...kept, ...all.map(subjectOf)])].sort(),
    ids: all.map((each) => each.id),
    content: {
      incident: all.length > 1 ? { ...oldest, next: listOf(oldest, merchants.size) } : oldest,
      worst: all.length > 1 ? worstOf(all) : [],
      merchants: merchants.size,
      amounts: amountsOf(all),
    },
  };
}

function listOf({ kind, merchant_id: merchant, environment }: FoundIncident, merchants: number): string {
  const ofOne = merchants === 1 ? ` --merchant ${merchant}` : '';
  return `npm run ops -- list --kind ${kind}${ofOne} --environment ${environment}`;
}

const worstOf = (all: readonly FoundIncident[]) =>
  all.toSorted((one, other) => (other.amount ?? 0) - (one.amount ?? 0)).slice(0, MOST_WORST);

/** Leaves out amounts that are not at stake, as `list` does. */
function amountsOf(all: readonly FoundIncident[]) {
  const sums = new Map<string, number>();
  for (const { kind, amount, currency } of all)
    if (amount !== null && currency !== null && !inWords(kind).amountIsSafe)
      sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums].sort().map(([currency, amount]) => ({ amount, currency }));
}
