/** `npm run changeset`: asks what a change means for the project's users, and writes it to `.changeset/`. */
import { changesets } from './release/changesets.ts';

await changesets(process.argv.slice(2), process.cwd());
