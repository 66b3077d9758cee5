interface Attempt {
  readonly event_id: string;
  readonly endpoint_id: string;
}

/**
 * Whether this is the latest attempt of its delivery: only the latest one's planned next attempt is still ahead.
 * @param attempts newest first
 */
export function isLatest<Each extends Attempt>(attempt: Each, attempts: readonly Each[]): boolean {
  const { event_id: eventId, endpoint_id: endpointId } = attempt;
  return attempts.find((each) => each.event_id === eventId && each.endpoint_id === endpointId) === attempt;
}
