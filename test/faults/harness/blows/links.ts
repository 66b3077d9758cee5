/** Connections that are cut, frozen, slow, narrow, or carry everything twice. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../core/random.ts';
import type { Link } from '../place/link.ts';
import type { Blow, Victims } from './blow.ts';

export function blowsToLinks({ place }: Victims): readonly Blow[] {
  const onLink = async (
    random: Random,
    links: readonly Link[],
    how: (link: Link) => void,
    least: number,
    most: number,
  ): Promise<string> => {
    const link = random.pick(links);
    how(link);
    await pause(random.between(least, most));
    link.heal();
    // A server that has lost its database may exit; in production its container is restarted.
    if (!place.temporal.isRunning()) await place.temporal.start();
    return link.name;
  };
  const { links } = place;
  // HTTP only: bytes repeated to PostgreSQL or Temporal fail immediately, in the log-in or the framing.
  const ofHttp = links.filter(({ name }) => / to (the rail|receiver|API|the APIs)$/.test(name));
  return [
    {
      kind: 'a connection is cut',
      strike: (random) => onLink(random, links, (link) => link.cut(), 2_000, 8_000),
    },
    {
      kind: 'a connection freezes',
      strike: (random) => onLink(random, links, (link) => link.freeze(), 3_000, 12_000),
    },
    {
      kind: 'a connection is slow',
      strike: (random) => onLink(random, links, (link) => link.slow(random.between(50, 700)), 4_000, 10_000),
    },
    {
      kind: 'a connection is narrow',
      strike: (random) =>
        onLink(random, links, (link) => link.throttle(random.between(2_000, 40_000)), 4_000, 10_000),
    },
    {
      kind: 'a connection repeats its data',
      strike: (random) => onLink(random, ofHttp, (link) => link.duplicate(), 4_000, 10_000),
    },
  ];
}
