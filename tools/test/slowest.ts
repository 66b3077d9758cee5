/** `npm test -- --slowest`: reports where a run's time went, by file and by test. */
import { relative } from 'node:path';
import type { JestResults } from './results.ts';

const FILES = 25;
const TESTS = 25;

export function tellSlowest({ testResults }: JestResults, project: string): void {
  const files = testResults.map((file) => {
    const inTests = sum(file.assertionResults.map(({ duration }) => duration ?? 0));
    const whole = file.endTime - file.startTime;
    return { file: relative(project, file.name), whole, inTests, around: Math.max(0, whole - inTests) };
  });
  const tests = testResults.flatMap((file) =>
    file.assertionResults.map(({ fullName, duration }) => ({
      name: `${relative(project, file.name)}: ${fullName}`,
      duration: duration ?? 0,
    })),
  );
  console.log(`\nThe slowest files (seconds: total, in tests, set-up and tear-down)`);
  for (const { file, whole, inTests, around } of slowest(files, ({ whole }) => whole, FILES)) {
    console.log(`${seconds(whole)} ${seconds(inTests)} ${seconds(around)}  ${file}`);
  }
  console.log(`\nThe slowest tests (seconds)`);
  for (const { name, duration } of slowest(tests, ({ duration }) => duration, TESTS)) {
    console.log(`${seconds(duration)}  ${name}`);
  }
  const whole = sum(files.map((file) => file.whole));
  const around = sum(files.map((file) => file.around));
  const first = Math.min(...testResults.map(({ startTime }) => startTime));
  const last = Math.max(...testResults.map(({ endTime }) => endTime));
  console.log(
    `\n${files.length} files ran for ${seconds(whole)} s in total, ${seconds(around)} s of it around their tests; ` +
      `in parallel, in ${seconds(last - first)} s`,
  );
}

function slowest<T>(all: readonly T[], by: (one: T) => number, count: number): readonly T[] {
  return all.toSorted((a, b) => by(b) - by(a)).slice(0, count);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const seconds = (ms: number) => (ms / 1_000).toFixed(1).padStart(6);
