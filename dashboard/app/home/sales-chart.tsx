import type { Schemas } from '../api/description.ts';
import { dayOf, money } from '../words/format.ts';
import { words } from '../words/words.ts';

type Days = Schemas['OverviewAnswer']['days'];

const HEIGHT = 120;
const STEP = 20;

/** A bar for each day; a table with the same data for screen readers. */
export function SalesChart({ days, currency }: { readonly days: Days; readonly currency: string }) {
  const most = Math.max(1, ...days.map(({ amount }) => amount));
  const textOf = ({ day, amount, count }: Days[number]) =>
    words.home.chartDay(dayOf(`${day}T12:00:00`), money(amount, currency), count);
  const [first] = days;
  const last = days.at(-1);
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.home.chart}
      >
        {days.map((each, index) => {
          const height = Math.max(each.amount > 0 ? 3 : 1, (each.amount / most) * (HEIGHT - 4));
          return (
            <g key={each.day}>
              <rect
                class={each.amount > 0 ? 'amount-bar' : 'amount-bar none'}
                x={index * STEP + 3}
                width={STEP - 6}
                y={HEIGHT - height}
                height={height}
                rx={2}
              />
              <rect class="hit" x={index * STEP} width={STEP} y={0} height={HEIGHT}>
                <title>{textOf(each)}</title>
              </rect>
            </g>
          );
        })}
      </svg>
      <figcaption>
        <span>{first && dayOf(`${first.day}T12:00:00`)}</span>
        <span>{last && dayOf(`${last.day}T12:00:00`)}</span>
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
