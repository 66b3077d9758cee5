/** Ports for a whole stack alongside the one that another test starts on the usual ports. */
import { freeLowPorts } from '../../../sandbox/stack/core/ports.ts';

const NAMES = [
  'SHOP',
  'API',
  'RAIL',
  'IDENTITY',
  'WORKER_HEALTH',
  'API_METRICS',
  'WORKER_METRICS',
  'OBSERVE',
  'PROMETHEUS',
  'TEMPORAL',
  'TEMPORAL_UI',
  'POSTGRES',
];

/** The variables from which `npm start` takes its ports. */
export async function ownPorts(): Promise<NodeJS.ProcessEnv> {
  const ports = await freeLowPorts(NAMES.length);
  return Object.fromEntries(NAMES.map((name, n) => [`${name}_PORT`, `${ports[n]}`]));
}
