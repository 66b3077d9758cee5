/**
 * `node --import` of this file puts failpoints into a process of the service: the modules at its boundaries are
 * replaced by wrappers. The service has no code for it.
 */
import { registerHooks } from 'node:module';

const inService = (path: string) => new URL(`../../../${path}`, import.meta.url).href;
const here = (path: string) => new URL(path, import.meta.url).href;
const REPLACED = new Map([
  [inService('activities/index.ts'), here('activities.ts')],
  [inService('activities/payment/attempt.ts'), here('attempt.ts')],
  [inService('bin/rails.ts'), here('rails.ts')],
  [inService('platform/temporal/traced-calls.ts'), here('traced-calls.ts')],
]);

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const wrapper = REPLACED.get(found.url);
    return wrapper && context.parentURL !== wrapper ? { url: wrapper, shortCircuit: true } : found;
  },
});
