import { words } from '../words/words.ts';
import { useUrlState } from './url-state.ts';

/** A filter by status, kept in the address. */
export function StatusFilter({ options }: { readonly options: Readonly<Record<string, string>> }) {
  const [filterOf, set] = useUrlState();
  return (
    <select
      aria-label={words.common.status}
      value={filterOf('status')}
      onChange={({ currentTarget }) => set({ status: currentTarget.value, cursor: '' })}
    >
      <option value="">{words.lists.any}</option>
      {Object.entries(options).map(([status, text]) => (
        <option key={status} value={status}>
          {text}
        </option>
      ))}
    </select>
  );
}
