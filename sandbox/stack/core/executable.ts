import { constants } from 'node:fs';
import { access } from 'node:fs/promises';

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
