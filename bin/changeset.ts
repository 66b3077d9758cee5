/** `npm run changeset`: asks what a change means to those who use the project, and writes it to `.changeset/`. */
import { changesets } from './release/changesets.ts';

await changesets(process.argv.slice(2), process.cwd());
