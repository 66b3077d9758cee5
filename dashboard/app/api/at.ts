/** The page's location: a merchant, one of its environments, and the person's permissions there. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Schemas } from './description.ts';

export type Environment = 'sandbox' | 'production';
export type Permission = Schemas['AccessAnswer']['permissions'][number];

export interface At {
  readonly merchantId: string;
  /** On a page that serves both environments, the last one viewed. */
  readonly environment: Environment;
  readonly access: Schemas['AccessAnswer'];
}

export const AtContext = createContext<At | null>(null);

export function useAt(): At {
  const at = useContext(AtContext);
  if (!at) throw new Error('outside of a merchant');
  return at;
}

export function useMay(permission: Permission): boolean {
  return useAt().access.permissions.includes(permission);
}

/** The path segment of pages that serve both environments, in place of the environment. */
export const BOTH = 'both';

/** The path segment of each environment. */
export const SEGMENT_OF: Readonly<Record<Environment, string>> = { sandbox: 'sandbox', production: 'live' };
