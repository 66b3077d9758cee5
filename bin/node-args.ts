/** How Node starts the API, wherever that is: the stack, the image, the compose file and the chart. */

/**
 * A long list makes short-lived rows. With half a mebibyte for them, V8 spent 37 % of the API's processor time collecting;
 * with 8 MiB a list takes half of the time and no more memory (docs/performance.md#big-lists). Node takes this on its
 * command line only.
 */
export const API_NODE_ARGS = ['--max-semi-space-size=8'];
