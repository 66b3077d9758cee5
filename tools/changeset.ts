/** `npm run changeset`: asks how a change affects the project's users, and writes it to `.changeset/`. */
import { changesets } from './release/changesets.ts';

await changesets(process.argv.slice(2), process.cwd());
