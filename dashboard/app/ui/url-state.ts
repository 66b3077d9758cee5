/** Filters in the address: they survive a reload, and Back undoes them. */
import { useLocation, useSearch } from 'wouter-preact';

export function useUrlState(): readonly [
  (name: string) => string,
  (changes: Readonly<Record<string, string>>, how?: { readonly replace?: boolean }) => void,
] {
  const search = useSearch();
  const [path, go] = useLocation();
  const current = new URLSearchParams(search);
  return [
    (name) => current.get(name) ?? '',
    (changes, how) => {
      const next = new URLSearchParams(search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === '') next.delete(name);
        else next.set(name, value);
      }
      go(next.size > 0 ? `${path}?${next}` : path, how);
    },
  ];
}
