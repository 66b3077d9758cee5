/** For a run inside another one, whose servers it uses. */
export default async function noSetup(): Promise<void> {}
