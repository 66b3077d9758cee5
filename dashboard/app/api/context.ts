import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Client } from './client.ts';

export const ClientContext = createContext<Client | null>(null);

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error('no ClientContext above this component');
  return client;
}
