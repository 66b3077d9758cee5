/** docker-compose.yml as Compose interprets it: merged and interpolated. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

export const PROJECT = resolve(import.meta.dirname, '../..');
export const read = (path: string): string => readFileSync(join(PROJECT, path), 'utf8');

export interface ComposeService {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number | null>>;
  readonly healthcheck?: { readonly disable?: boolean; readonly test?: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly restart?: string;
  readonly profiles?: readonly string[];
  readonly cap_add?: readonly string[];
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
}

export const COMPOSE_TEXT = read('docker-compose.yml');
export const compose: ComposeFile = parse(COMPOSE_TEXT, { merge: true });
export const services = Object.entries(compose.services);

/** Services that run to completion, which other services wait for. */
export const jobs: ReadonlySet<string> = new Set(
  services.flatMap(([, { depends_on = {} }]) =>
    Object.entries(depends_on)
      .filter(([, { condition }]) => condition === 'service_completed_successfully')
      .map(([name]) => name),
  ),
);

const REFERENCE = /\$\{(?<name>[A-Z_]+)(?:(?<how>:[-?])(?<word>[^}]*))?\}/g;

/** The variables that the file references, and whether they are required. */
export function variablesOf(text: string): Map<string, { readonly required: boolean }> {
  const found = new Map<string, { required: boolean }>();
  for (const { groups } of text.matchAll(REFERENCE)) {
    if (groups?.name) found.set(groups.name, { required: groups.how === ':?' });
  }
  return found;
}

/** @throws if a required variable is missing, as Compose does */
export function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(REFERENCE, (_all, name: string, how: string | undefined, word = '') => {
    const value = variables[name];
    if (value) return value;
    if (how === ':?') throw new Error(`${name} is required: ${word}`);
    return how === ':-' ? word : '';
  });
}

/** The environment of a service's container. A variable without a value is passed through if it is set. */
export function environmentOf(
  service: ComposeService,
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(service.environment ?? {}).flatMap(([name, value]) => {
    const given = value === null ? variables[name] : interpolate(String(value), variables);
    return given === undefined ? [] : [[name, given] as const];
  });
  return Object.fromEntries(entries);
}

/** The `NAME=value` lines of an env file. */
export function parseEnvFile(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => /^[A-Z_]+=/.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
