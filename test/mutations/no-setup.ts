/** The global set-up for a run inside another run: it uses the servers of the outer one. */
export default async function noSetup(): Promise<void> {}
