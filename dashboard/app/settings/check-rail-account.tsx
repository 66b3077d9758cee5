import { useEffect } from 'preact/hooks';
import type { Schemas } from '../api/description.ts';
import { useChange } from '../api/use.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { words } from '../words/words.ts';
import { Findings } from './findings.tsx';

interface CheckProps {
  readonly account: Schemas['RailAccount'];
  readonly onClose: () => void;
}

/** Asks the processor when it opens; the findings are stored only when the person confirms. */
export function CheckRailAccount({ account: { id }, onClose }: CheckProps) {
  const check = useChange('checkRailAccount');
  const ask = (apply: boolean) => check.mutate({ path: { railAccountId: id }, body: { apply } });
  useEffect(() => ask(false), []);
  const applied = check.variables?.body?.apply === true && check.isSuccess;
  return (
    <Dialog title={words.rail.checkTitle} onClose={onClose}>
      {check.isPending && !check.data && <Loading />}
      {check.data && <Findings of={check.data} />}
      {applied && (
        <p class="note good" role="status">
          {words.rail.stored}
        </p>
      )}
      <ProblemNote error={check.error} />
      <div class="dialog-actions">
        <Button onClick={onClose}>{words.common.close}</Button>
        <Button kind="primary" busy={check.isPending} disabled={!check.data} onClick={() => ask(true)}>
          {words.rail.store}
        </Button>
      </div>
    </Dialog>
  );
}
