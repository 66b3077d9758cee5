import { words } from '../words/words.ts';
import { useUrlState } from './url-state.ts';

/** A filter by status, kept in the address. */
export function StatusFilter({ options }: { readonly options: Readonly<Record<string, string>> }) {
  return <Filter name="status" label={words.common.status} any={words.lists.any} options={options} />;
}

interface FilterProps {
  /** The filter's name in the address. */
  readonly name: string;
  readonly label: string;
  /** Text of the option without a filter. */
  readonly any: string;
  readonly options: Readonly<Record<string, string>>;
}

/** A choice, kept in the address. */
export function Filter({ name, label, any, options }: FilterProps) {
  const [filterOf, set] = useUrlState();
  return (
    <select
      aria-label={label}
      value={filterOf(name)}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value, cursor: '' })}
    >
      <option value="">{any}</option>
      {Object.entries(options).map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}
