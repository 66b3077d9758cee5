import { useEffect, useState } from 'preact/hooks';
import { exactTime, timeAgo } from '../words/format.ts';
import { DAY_MS } from './days.ts';

/** An instant: relative while recent, exact afterwards and in the tooltip. */
export function Time({ at }: { readonly at: string }) {
  const [now, setNow] = useState(Date.now);
  const fresh = Math.abs(now - Date.parse(at)) < DAY_MS;
  useEffect(() => {
    if (!fresh) return;
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, [fresh]);
  return (
    <time dateTime={at} title={exactTime(at)}>
      {fresh ? timeAgo(at, Math.max(now, Date.now())) : exactTime(at)}
    </time>
  );
}
