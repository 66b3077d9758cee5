import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useClient } from '../api/context.ts';
import { Copy } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Secret } from '../ui/secret.tsx';
import { words } from '../words/words.ts';

/**
 * For people with the role `platform`. Shows the merchant's id, which log-ins need, and its first key, which is shown
 * only here.
 */
export function CreateMerchant({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => client.call('createMerchant', { body: { name: name.trim() } }),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['merchants'] }),
  });
  if (create.data) {
    const { id, api_key: apiKey } = create.data;
    return (
      <Dialog title={words.shell.merchantCreated} onClose={onClose}>
        <p>
          <Copy value={id} />
        </p>
        <p>{words.shell.merchantCreatedText}</p>
        <p>
          <Link href={`/${id}/sandbox/rail-accounts`}>{words.shell.toRailAccounts}</Link>
        </p>
        <h3>{words.keys.newTitle}</h3>
        <Secret value={apiKey.key} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={words.shell.createMerchant}
      action={words.shell.createMerchant}
      busy={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label={words.common.name}
        at="name"
        hint={words.shell.merchantNameHint}
        required
        maxLength={160}
        value={name}
        onValue={setName}
      />
    </FormDialog>
  );
}
