/**
 * Loaded with `--import` into a test run: changes one place of one file as it is loaded, and no file on disk. The
 * mutant is told by the environment variable MUTANT.
 */
import { registerHooks } from 'node:module';

const { url, find, replace } = JSON.parse(process.env.MUTANT ?? '{}') as Readonly<Record<string, string>>;

registerHooks({
  load(loaded, context, next) {
    const module = next(loaded, context);
    if (loaded !== url || module.source == null) return module;
    const source =
      typeof module.source === 'string' ? module.source : new TextDecoder().decode(module.source);
    return { ...module, source: source.replace(find ?? '', () => replace ?? '') };
  },
});
