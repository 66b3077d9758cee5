/** Generates docs/settings.md. */
import { table } from '../bin/config/document.ts';
import { DEFAULT_SETTINGS, merchantSettings } from '../contract/merchant/settings.ts';

const INTRODUCTION = `# Settings of a merchant

Written by \`npm run configuration\` from \`contract/merchant/settings.ts\`. \`GET\` and \`PATCH /v1/merchants/{merchantId}/settings\` read and change them, for both environments; an owner or a \`platform\` person may, unless the table says otherwise. The defaults change nothing. A change is in the audit log with the old and the new value. \`PATCH /v1/invoice-settings\` only echoes its body.
`;

export function settingsDocument(): string {
  const names = Object.keys(DEFAULT_SETTINGS) as (keyof typeof DEFAULT_SETTINGS)[];
  const rows = names.map((name) => [
    `\`${name}\``,
    DEFAULT_SETTINGS[name] === '' || DEFAULT_SETTINGS[name] === null
      ? 'none'
      : `\`${DEFAULT_SETTINGS[name]}\``,
    merchantSettings.shape[name].description ?? '',
  ]);
  return `${INTRODUCTION}\n${table(rows, ['Setting', 'Default', 'Effect'])}`;
}
