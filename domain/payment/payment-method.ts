/** Kinds of payment method, with the contract's names. To add one, add it here and follow the compiler. */
export const WALLETS = ['apple_pay', 'google_pay'] as const;
export type Wallet = (typeof WALLETS)[number];

export const METHOD_TYPES = ['card', ...WALLETS] as const;
export type MethodType = (typeof METHOD_TYPES)[number];

/** Methods whose outcome takes days: `pending` is then an ordinary answer, not a doubtful one. */
const SETTLES_IN_DAYS: Readonly<Record<MethodType, boolean>> = {
  card: false,
  apple_pay: false,
  google_pay: false,
};

export function settlesInDays(type: MethodType): boolean {
  return SETTLES_IN_DAYS[type];
}

/** The parts of a method that may be shown. */
export interface MethodSummary {
  readonly type: MethodType;
  readonly brand: string | null;
  readonly last4: string | null;
}

export function isWallet(value: unknown): value is Wallet {
  return WALLETS.includes(value as Wallet);
}
