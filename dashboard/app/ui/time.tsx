import { useEffect, useState } from 'preact/hooks';
import { exactTime, timeAgo } from '../words/format.ts';
import { DAY_MS } from './days.ts';

interface TimeProps {
  readonly at: string;
  /** Replaces an instant that has passed. */
  readonly past?: string;
}

/** An instant: relative while recent, exact afterwards and in the tooltip. */
export function Time({ at, past }: TimeProps) {
  const [now, setNow] = useState(Date.now);
  const fresh = Math.abs(now - Date.parse(at)) < DAY_MS;
  useEffect(() => {
    if (!fresh) return;
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, [fresh]);
  const current = Math.max(now, Date.now());
  if (past !== undefined && Date.parse(at) <= current) return <>{past}</>;
  return (
    <time dateTime={at} title={exactTime(at)}>
      {fresh ? timeAgo(at, current) : exactTime(at)}
    </time>
  );
}
