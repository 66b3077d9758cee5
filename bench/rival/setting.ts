/** What the rival's processes are given, and how they report that they are ready. */

export interface Setting {
  readonly databaseUrl: string;
  readonly railUrl: string;
  readonly railAccount: string;
  readonly railSecret: string;
  readonly railWebhookSecret: string;
  readonly receiverUrl: string;
  readonly receiverSecret: string;
}

export interface Ready {
  readonly port: number | null;
}

export function readSetting(): Setting {
  return JSON.parse(process.env.BENCH_SETTING ?? '{}');
}

/** Exits with its parent. */
export function ready(port: number | null): void {
  process.once('disconnect', () => process.exit());
  process.send?.({ port } satisfies Ready);
}
