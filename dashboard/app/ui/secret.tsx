import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';

/** A secret that is shown once, inside a dialog. */
export function Secret({ value, onClose }: { readonly value: string; readonly onClose: () => void }) {
  return (
    <>
      <p class="secret">
        <Copy value={value} />
      </p>
      <p class="note">{words.common.onceOnly}</p>
      <div class="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {words.common.close}
        </Button>
      </div>
    </>
  );
}
