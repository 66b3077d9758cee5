/** Keeps the parts of the local stack together: they are logged, stopped in order, and end as one. */
import { type LogFile, openLog } from './log.ts';
import {
  type Exit,
  type ForeignProgram,
  type Part,
  type PartSpec,
  startForeignPart,
  startPart,
} from './part.ts';

const LINES_TOLD = 15;

export interface Ended {
  readonly name: string;
  readonly exit: Exit;
  readonly lastLines: readonly string[];
}

export interface Supervisor {
  startPart(spec: PartSpec): Part;
  startProgram(program: ForeignProgram): Part;
  /** The first part that ended although nobody asked it to. */
  readonly failure: Promise<Ended>;
  /** First our own parts, then the programs they stand on. Safe to call twice. */
  stop(): Promise<void>;
}

export interface SupervisorOptions {
  readonly logsDir: string;
  /** What a person at the terminal should see: errors that a part logged. */
  readonly onProblem: (line: string) => void;
}

export function createSupervisor({ logsDir, onProblem }: SupervisorOptions): Supervisor {
  const ours: Part[] = [];
  const programs: Part[] = [];
  const failure = Promise.withResolvers<Ended>();
  let stopping: Promise<void> | undefined;

  function adopt(group: Part[], name: string, start: (onLine: (line: string) => void) => Part): Part {
    if (stopping) throw new Error(`${name} is not started: everything is being stopped`);
    const log = openLog(logsDir, name);
    const lastLines: string[] = [];
    const part = start((line) => {
      lastLines.push(write(log, name, line));
      if (lastLines.length > LINES_TOLD) lastLines.shift();
    });
    group.push(part);
    part.exited.then((exit) => {
      log.close();
      if (!stopping) failure.resolve({ name, exit, lastLines });
    });
    return part;
  }

  function write(log: LogFile, name: string, line: string): string {
    const { text, isProblem } = log.write(line);
    if (isProblem && !stopping) onProblem(`[${name}] ${text}`);
    return text;
  }

  return {
    startPart: (spec) => adopt(ours, spec.name, (onLine) => startPart({ ...spec, onLine })),
    startProgram: (program) =>
      adopt(programs, program.name, (onLine) => startForeignPart({ ...program, onLine })),
    failure: failure.promise,
    stop() {
      stopping ??= (async () => {
        await Promise.all(ours.map((part) => part.stop()));
        await Promise.all(programs.map((part) => part.stop()));
      })();
      return stopping;
    },
  };
}

export function describeEnd({ name, exit, lastLines }: Ended): string {
  const how = exit.signal ? `was killed by ${exit.signal}` : `ended with code ${exit.code}`;
  const said =
    lastLines.length > 0 ? ` Its last lines:\n${lastLines.map((line) => `  ${line}`).join('\n')}` : '';
  return `${name} ${how}.${said}`;
}
