/** Supervises the parts of the local stack: logs them, stops them in order, and reports the first that fails. */
import { type LogFile, openLog } from './log.ts';
import {
  type Exit,
  type ForeignProgram,
  type Part,
  type PartSpec,
  startForeignPart,
  startPart,
} from './part.ts';

const LINES_REPORTED = 15;

export interface Ended {
  readonly name: string;
  readonly exit: Exit;
  readonly lastLines: readonly string[];
}

export interface Supervisor {
  startPart(spec: PartSpec): Part;
  startProgram(program: ForeignProgram): Part;
  /** The first part that exited without being stopped. */
  readonly failure: Promise<Ended>;
  /** Stops our own parts, then the programs they depend on. Idempotent. */
  stop(): Promise<void>;
}

export interface SupervisorOptions {
  readonly logsDir: string;
  /** Called with each error that a part logs, for the terminal. */
  readonly onProblem: (line: string) => void;
}

export function createSupervisor({ logsDir, onProblem }: SupervisorOptions): Supervisor {
  const ours: Part[] = [];
  const programs: Part[] = [];
  const failure = Promise.withResolvers<Ended>();
  let stopping: Promise<void> | undefined;

  function adopt(group: Part[], name: string, start: (onLine: (line: string) => void) => Part): Part {
    if (stopping) throw new Error(`${name} is not started: the stack is stopping`);
    const log = openLog(logsDir, name);
    const lastLines: string[] = [];
    const part = start((line) => {
      lastLines.push(write(log, name, line));
      if (lastLines.length > LINES_REPORTED) lastLines.shift();
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
  const how = exit.signal ? `was killed by ${exit.signal}` : `exited with code ${exit.code}`;
  const said =
    lastLines.length > 0 ? ` Its last lines:\n${lastLines.map((line) => `  ${line}`).join('\n')}` : '';
  return `${name} ${how}.${said}`;
}
