import { running } from './running.ts';

export default async function globalTeardown(): Promise<void> {
  await Promise.all(running.map((part) => part.stop()));
}
