import type { Schemas } from '../api/description.ts';
import { SelectField } from '../ui/field.tsx';
import { useUrlState } from '../ui/url-state.ts';
import { dateOf, money, wholeMoney } from '../words/format.ts';
import { words } from '../words/words.ts';

type Days = Schemas['OverviewAnswer']['days'];

const HEIGHT = 120;
const STEP = 20;
const RANGES = [7, 30];
const DEFAULT_RANGE = 30;

interface ChartProps {
  /** Twice as many days as the longest range, oldest first. */
  readonly days: Days;
  readonly currency: string;
}

/** A bar for each day, with a line at the amount of the same day one range earlier; a table for screen readers. */
export function SalesChart({ days: all, currency }: ChartProps) {
  const [filterOf, setFilter] = useUrlState();
  const range = RANGES.find((each) => String(each) === filterOf('days')) ?? DEFAULT_RANGE;
  const days = all.slice(-range);
  const before = all.slice(-2 * range, -range);
  const top = roundedUp(Math.max(...[...days, ...before].map(({ amount }) => amount)));
  const textOf = ({ day, amount, count }: Days[number]) =>
    words.home.chartDay(dateOf(day), money(amount, currency), count);
  const [first] = days;
  const last = days.at(-1);
  return (
    <figure class="chart">
      <SelectField
        label={words.home.range}
        value={String(range)}
        onValue={(value) => setFilter({ days: value }, { replace: true })}
        options={RANGES.map((each) => [String(each), words.home.ranges(each)] as const)}
      />
      <div class="chart-plot">
        <div class="chart-axis" aria-hidden="true">
          {[top, top / 2, 0].map((cents) => (
            <span key={cents}>{wholeMoney(cents, currency)}</span>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={words.home.chart}
        >
          {[0, HEIGHT / 2].map((y) => (
            <rect key={y} class="grid-line" x={0} width={days.length * STEP} y={y} height={0.5} />
          ))}
          {days.map((each, index) => (
            <Day
              key={each.day}
              left={index * STEP}
              height={(each.amount / top) * HEIGHT}
              before={((before[index]?.amount ?? 0) / top) * HEIGHT}
              text={`${textOf(each)}\n${before[index] ? textOf(before[index]) : ''}`}
            />
          ))}
        </svg>
      </div>
      <figcaption>
        <span>{first && dateOf(first.day)}</span>
        <span class="chart-key">{words.home.compared(range)}</span>
        <span>{last && dateOf(last.day)}</span>
      </figcaption>
      <ul class="visually-hidden">
        {days
          .filter(({ count }) => count > 0)
          .map((each) => (
            <li key={each.day}>{textOf(each)}</li>
          ))}
      </ul>
    </figure>
  );
}

interface DayProps {
  readonly left: number;
  readonly height: number;
  /** The height of the line for the earlier day. */
  readonly before: number;
  readonly text: string;
}

function Day({ left, height, before, text }: DayProps) {
  const shown = Math.max(height > 0 ? 3 : 1, height);
  return (
    <g>
      <rect
        class={height > 0 ? 'amount-bar' : 'amount-bar none'}
        x={left + 3}
        width={STEP - 6}
        y={HEIGHT - shown}
        height={shown}
        rx={2}
      />
      {before > 0 && (
        <rect class="amount-before" x={left + 1} width={STEP - 2} y={HEIGHT - before} height={1.5} />
      )}
      <rect class="hit" x={left} width={STEP} y={0} height={HEIGHT}>
        <title>{text}</title>
      </rect>
    </g>
  );
}

/** Rounds up to 1, 2, 4, 10, 20, 40 … units of the currency, so that the middle mark, its half, is whole from 2 on. */
function roundedUp(cents: number): number {
  for (let unit = 100; ; unit *= 10) {
    const found = [1, 2, 4].find((factor) => factor * unit >= cents);
    if (found) return found * unit;
  }
}
