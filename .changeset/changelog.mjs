/** A changeset's line in CHANGELOG.md: its text as it stands. */
export default {
  getReleaseLine: async ({ summary }) =>
    `- ${summary
      .trim()
      .split('\n')
      .map((line, n) => (n === 0 || line === '' ? line : `  ${line}`))
      .join('\n')}`,
  getDependencyReleaseLine: async () => '',
};
