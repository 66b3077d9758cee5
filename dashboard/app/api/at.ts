/** The page's location: a merchant, one of its environments, and the person's permissions there. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Schemas } from './description.ts';

export type Environment = 'sandbox' | 'production';
export type Permission = Schemas['AccessAnswer']['permissions'][number];

export interface At {
  readonly merchantId: string;
  /** On a page that serves both, the last one viewed. */
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

/** Replaces the environment in the path of pages that serve both. */
export const BOTH = 'both';

/** In the form shown in the address bar. */
export const SEGMENT_OF: Readonly<Record<Environment, string>> = { sandbox: 'sandbox', production: 'live' };
