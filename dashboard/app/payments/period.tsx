import { useAt } from '../api/at.ts';
import { startOfDay } from '../ui/days.ts';
import { useUrlState } from '../ui/url-state.ts';
import { words } from '../words/words.ts';

/** Inputs for the first and the last day, in the merchant's time zone. */
export function Period() {
  const [filterOf, set] = useUrlState();
  const day = (name: 'from' | 'to', label: string) => (
    <label class="day">
      {label}
      <input
        type="date"
        value={filterOf(name)}
        onChange={({ currentTarget }) => set({ [name]: currentTarget.value, cursor: '' })}
      />
    </label>
  );
  return (
    <span class="period">
      {day('from', words.payments.from)}
      {day('to', words.payments.to)}
    </span>
  );
}

/** The period in the address, as two instants; the second is exclusive. */
export function usePeriod() {
  const [filterOf] = useUrlState();
  return { from: startOfDay(filterOf('from'), 0), to: startOfDay(filterOf('to'), 1) };
}

/** Reads a list's filters and cursor from the page's URL. */
export function useListFilter<Status extends string>() {
  const { environment } = useAt();
  const [filterOf] = useUrlState();
  const period = usePeriod();
  const filter = {
    environment,
    status: (filterOf('status') || undefined) as Status | undefined,
    ...period,
  };
  return {
    filter,
    searched: { ...filter, q: filterOf('q') || undefined },
    cursor: filterOf('cursor') || undefined,
  };
}
