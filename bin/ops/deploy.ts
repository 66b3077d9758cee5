/**
 * Deploys with Temporal's worker versioning: makes a build current, ramps it, shows which builds are drained, and
 * abandons one.
 */
import { type Client, isGrpcServiceError } from '@temporalio/client';
import type { AUDITED } from '../../contract/merchant/audit.ts';
import {
  abandonBuild,
  DEFAULT_DEPLOYMENT,
  listBuilds,
  makeCurrent,
  ramp,
  readCurrent,
} from '../../platform/temporal/deployments.ts';
import { isTemporalAway } from '../../platform/temporal/grpc-code.ts';
import { audited } from './core/audited.ts';
import {
  type OpsCommand,
  type OpsContext,
  parseOpsArgs,
  temporalAnswers,
  WrongArguments,
} from './core/command.ts';
import { printTable } from './core/table.ts';

/** For each call to Temporal; making a build current takes seconds. */
const TIMEOUT_MS = 15_000;

const EXIT = 'Exit code: 0 if it is done and shown, 1 if not, 2 for invalid arguments.';

export const deployList: OpsCommand = {
  usage: 'deploy list',

  help: `Lists the builds of the workers: which is current, and how many sessions each still has.
The workers of a build without open sessions that is not current can be stopped; Temporal calls it "drained" some
minutes after its last session.
WORKER_DEPLOYMENT names the deployment.
${EXIT}`,

  async run(args, context) {
    const { json } = read(args, 0);
    await show(context, json);
    return 0;
  },
};

export const deployCurrent: OpsCommand = {
  usage: 'deploy current <build id>',

  help: `Routes all new workflows, and the running subscriptions, refunds and deliveries, to a build.
Open sessions stay on the build that began them. To roll back, make the former build current. Repeating
the command changes nothing. Temporal refuses a build that lacks workers of a queue.
${EXIT}`,

  async run(args, context) {
    const { positionals, json } = read(args);
    const buildId = buildOf(positionals);
    const current = await answered(context, within(context, readCurrent));
    if (current !== buildId) {
      const change = () => within(context, (...deployment) => makeCurrent(...deployment, buildId));
      const entry = entryOf(context, 'make_current', { build: buildId });
      await answered(context, audited(context, entry, change));
    }
    await show(context, json);
    return 0;
  },
};

export const deployRamp: OpsCommand = {
  usage: 'deploy ramp <build id> --percent 0-100',

  help: `Routes to a build a share of the workflows that "deploy current" would route to it. 0 ends the ramp.
${EXIT}`,

  async run(args, context) {
    const { positionals, json, percent } = read(args);
    const part = Number(percent);
    if (!percent || !(part >= 0 && part <= 100))
      throw new WrongArguments('--percent must be a number from 0 to 100.');
    const buildId = buildOf(positionals);
    const change = () => within(context, (...deployment) => ramp(...deployment, buildId, part));
    const entry = entryOf(context, 'ramp', { build: buildId, percent: part });
    await answered(context, audited(context, entry, change));
    await show(context, json);
    return 0;
  },
};

export const deployAbandon: OpsCommand = {
  usage: 'deploy abandon <build id>',

  help: `Moves the open sessions of a build to the current build, if its workers cannot be started again.
Refused for the current build. Repeat the command to move sessions that Temporal listed late.
${EXIT}`,

  async run(args, context) {
    const { positionals, json } = read(args);
    const buildId = buildOf(positionals);
    const builds = await answered(context, within(context, listBuilds));
    const build = builds.find((each) => each.buildId === buildId);
    if (!build || build.state === 'current')
      throw new WrongArguments(
        build
          ? `${buildId} is the current build: make another one current first.`
          : `There is no build ${buildId}.`,
      );
    // Written in advance, so that no transaction stays open while thousands of sessions are moved.
    await audited(context, entryOf(context, 'abandon', { build: buildId }));
    const moved = await answered(
      context,
      abandonBuild(context.temporal, nameOf(context), buildId, TIMEOUT_MS),
    );
    console.log(json ? JSON.stringify({ moved }) : `Workflows moved to the current build: ${moved}.`);
    return 0;
  },
};

function read(args: readonly string[], most = 1) {
  const { values, positionals } = parseOpsArgs(args, most, {
    percent: { type: 'string' },
  });
  return { ...values, positionals };
}

function buildOf([buildId]: readonly string[]): string {
  if (!buildId) throw new WrongArguments('A build id is required; "deploy list" shows them.');
  return buildId;
}

const nameOf = ({ env }: OpsContext) => env.WORKER_DEPLOYMENT || DEFAULT_DEPLOYMENT;

function entryOf(context: OpsContext, deed: (typeof AUDITED.deployment)[number], after: object) {
  return { action: `deployment.${deed}`, subjectId: nameOf(context), after } as const;
}

async function show(context: OpsContext, json: boolean): Promise<void> {
  const builds = await answered(context, within(context, listBuilds));
  if (json) console.log(JSON.stringify({ deployment: nameOf(context), builds }));
  else
    printTable(
      ['Build', 'State', 'Open sessions'],
      builds.map(({ buildId, state, percent, open }) => [
        buildId,
        percent ? `${state} ${percent} %` : state,
        `${open}`,
      ]),
    );
}

function within<T>(
  context: OpsContext,
  call: (client: Client, deployment: string) => Promise<T>,
): Promise<T> {
  const { temporal } = context;
  return temporal.withDeadline(Date.now() + TIMEOUT_MS, () => call(temporal, nameOf(context)));
}

/** Reports a refusal with Temporal's own message, without the client's stack. */
async function answered<T>(context: OpsContext, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!isGrpcServiceError(error) || isTemporalAway(error)) return temporalAnswers(answer);
    throw new Error(`Deployment ${nameOf(context)}: ${error.details}.`);
  }
}
