// `node deploy/healthcheck.mjs <port>`: exits with 0 if this container's process is ready. Plain JavaScript
// without imports, because it runs every few seconds.
const [port] = process.argv.slice(2);
try {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
} catch (error) {
  console.error(`not ready: ${error.message}`);
  process.exitCode = 1;
}
