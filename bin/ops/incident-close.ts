/** Removes an incident that only an operator can close. */
import { closeByPerson } from '../../api/operations/command-handlers.ts';
import { closedByPerson } from '../../contract/operations/fitting-commands.ts';
import { KINDS_OF_INCIDENT } from '../../contract/operations/incident-kinds.ts';
import { type OpsCommand, parseOpsArgs, WrongArguments } from './core/command.ts';

const CLOSED_BY_PERSON = KINDS_OF_INCIDENT.filter(closedByPerson);

export const incidentClose: OpsCommand = {
  usage: 'incident close <kind> <id> --reason <what was done>',

  help: `Closes an incident whose end the service cannot detect, once you have settled it:
  ${CLOSED_BY_PERSON.join(', ')}
The reason goes into the audit log: do not enter buyers' names. Every other kind closes automatically.
Exit code: 0 if it was open, 1 if not, 2 for invalid arguments.`,

  async run(args, { pool, actor }) {
    const { values, positionals } = parseOpsArgs(args, 2, {
      reason: { type: 'string' },
    });
    const [name, id] = positionals;
    const kind = CLOSED_BY_PERSON.find((each) => each === name);
    if (!kind)
      throw new WrongArguments(
        `The kind must be one of ${CLOSED_BY_PERSON.join(', ')}; other kinds close automatically.`,
      );
    if (!id) throw new WrongArguments('The id of the incident is required.');
    const reason = values.reason?.trim();
    if (!reason) throw new WrongArguments('--reason is required: state what was done.');
    const answer = await closeByPerson(pool, { kind, id }, { actor: await actor(), reason });
    console.log(values.json ? JSON.stringify(answer) : answer.message);
    return 0;
  },
};
