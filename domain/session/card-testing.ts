/** Limits on declined cards, and the proof of work required above them. */

/**
 * Declines in ten minutes above which a click needs a proof of work; in a day, ten times as many. 0 disables the
 * limit.
 */
export interface DeclineLimits {
  readonly perAddress: number;
  readonly perClient: number;
  readonly perMerchant: number;
  /** Only for rails that identify cards. */
  readonly perCard: number;
}

/** Fifteen in ten minutes allow a merchant 90 declines an hour before buyers need a proof. */
export const DECLINE_LIMITS: DeclineLimits = { perAddress: 10, perClient: 15, perMerchant: 15, perCard: 10 };

/** A processor that could not process a charge says nothing about the card; it may have refused the account. */
export const isAboutCard = (failureCode: string): boolean => failureCode !== 'processing_error';

/** The limit of a day is this many times the limit of ten minutes. */
const PER_DAY = 10;
/**
 * At this multiple of a limit, clicks are refused. The limits of a storefront client and of a merchant never refuse
 * clicks: card testing must not close a shop.
 */
const REFUSED_AT = 10;
const REFUSING = ['address', 'card'] as const;

export const KINDS_OF_DECLINES = ['address', 'client', 'merchant', 'card'] as const;
export type Declines = Readonly<
  Record<(typeof KINDS_OF_DECLINES)[number], { readonly recent: number; readonly day: number }>
>;

/** Numbers of clicks without a proof for which the rail's answer is pending: each may become a decline. */
export type OpenClicks = Readonly<Record<'merchant' | 'address', number>>;

/**
 * The requirement for a new click: declines and open clicks count together, so that clicks sent at once do not pass
 * before the first is answered. `wait` means to wait for those answers: before the first decline, no buyer is asked
 * for a proof.
 */
export function neededFor(
  declines: Declines,
  limits: DeclineLimits,
  open: OpenClicks = { merchant: 0, address: 0 },
): 'nothing' | 'wait' | 'proof' | 'refusal' {
  if (REFUSING.some((kind) => timesOf(kind, declines, limits) >= REFUSED_AT)) return 'refusal';
  const merchant = plus(declines.merchant, open.merchant);
  const address = plus(declines.address, open.address);
  if (passedBy({ ...declines, merchant, address }, limits).length === 0) return 'nothing';
  return KINDS_OF_DECLINES.some((kind) => declines[kind].day > 0) ? 'proof' : 'wait';
}

const plus = ({ recent, day }: Declines['merchant'], open: number) => ({
  recent: recent + open,
  day: day + open,
});

/** Returns the names of the exceeded limits. */
export const passedBy = (declines: Declines, limits: DeclineLimits) =>
  KINDS_OF_DECLINES.filter((kind) => timesOf(kind, declines, limits) >= 1);

function timesOf(kind: keyof Declines, declines: Declines, limits: DeclineLimits): number {
  const limit = limitsByKind(limits)[kind];
  const { recent, day } = declines[kind];
  return limit === 0 ? 0 : Math.max(recent / limit, day / (limit * PER_DAY));
}

const limitsByKind = ({ perAddress, perClient, perMerchant, perCard }: DeclineLimits) => ({
  address: perAddress,
  client: perClient,
  merchant: perMerchant,
  card: perCard,
});

/** Maximum number of rows to count: more would not change the answer. */
export const mostDeclines = (limits: DeclineLimits): number =>
  REFUSED_AT * PER_DAY * Math.max(...Object.values(limitsByKind(limits)));

/**
 * Many small searches instead of a large one, because their sum varies less. 8,192 hashes on average. In Chromium with a
 * processor six times slower, on a busy machine, 25 proofs took 0.3 to 1.1 s; with eight searches 0.3 to 2.2 s.
 */
export const PROOF_PARTS = 16;
const PROOF_BITS = 9;

/** Bound to session and click, and so to one use: a click makes at most one attempt. */
export const puzzleOf = (checkoutId: string, claimId: string): string => `${checkoutId}.${claimId}`;

export const proofText = (puzzle: string, part: number, found: number | string): string =>
  `${puzzle}.${part}.${found}`;

export function isFound(hash: Uint8Array): boolean {
  return (((hash[0] ?? 255) << 8) | (hash[1] ?? 255)) >> (16 - PROOF_BITS) === 0;
}
