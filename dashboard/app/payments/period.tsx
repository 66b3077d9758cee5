import { useUrlState } from '../ui/url-state.ts';
import { words } from '../words/words.ts';

/** Inputs for the first and the last day, in the person's time zone. */
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

/** The period of the address as two instants, the second one exclusive. */
export function usePeriod() {
  const [filterOf] = useUrlState();
  return { from: instantOf(filterOf('from'), 0), to: instantOf(filterOf('to'), 1) };
}

/** The start of a day in the person's time zone, shifted by some days. */
export function instantOf(day: string, later: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  return new Date(year, month - 1, date + later).toISOString();
}
