/** Readable logs: a part's JSON lines become one text line each, in one file per part. */
import { createWriteStream, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const ERROR = 50;
const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'ERROR',
  60: 'FATAL',
};

interface LogLine {
  readonly text: string;
  readonly isProblem: boolean;
}

export interface LogFile {
  write(line: string): LogLine;
  close(): void;
}

/** Starts a new file; the previous run's is kept as `<name>.previous.log`. */
export function openLog(dir: string, name: string): LogFile {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, `${name}.log`);
  try {
    renameSync(path, join(dir, `${name}.previous.log`));
  } catch {
    // The first run.
  }
  const file = createWriteStream(path);
  return {
    write(line) {
      const readable = readableLine(line);
      file.write(`${readable.text}\n`);
      return readable;
    },
    close: () => file.end(),
  };
}

/** `{"level":30,"time":…,"msg":"listening","port":8080}` becomes `06:48:52.779 info  listening port=8080`. */
function readableLine(line: string): LogLine {
  const entry = parse(line);
  if (!entry) return { text: line, isProblem: false };
  const { level, time, msg, err, pid: _pid, hostname: _hostname, name: _name, part: _part, ...rest } = entry;
  const at = new Date(typeof time === 'number' || typeof time === 'string' ? time : Date.now())
    .toISOString()
    .slice(11, 23);
  const fields = Object.entries(rest).map(
    ([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const error = err as { message?: string; stack?: string } | undefined;
  const cause = error ? `\n  ${(error.stack ?? error.message ?? '').replaceAll('\n', '\n  ')}` : '';
  const text = `${at} ${(LEVELS[level] ?? `${level}`).padEnd(5)} ${msg ?? ''}${fields.join('')}${cause}`;
  return { text, isProblem: level >= ERROR };
}

function parse(line: string): ({ level: number } & Record<string, unknown>) | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry = JSON.parse(line);
    return typeof entry.level === 'number' ? entry : undefined;
  } catch {
    return undefined;
  }
}
