/**
 * Reads payloads sent to a workflow. The default converter throws for an unreadable payload (another encoding chosen in
 * Temporal UI, bytes that are not JSON), and a signal that throws there fails every later task of its run. An
 * unreadable payload is therefore read as `undefined`, which the message's parser rejects (rule 31). An unreadable
 * result of an activity still throws.
 */
import { defaultPayloadConverter, type PayloadConverter } from '@temporalio/common';

export const payloadConverter: PayloadConverter = {
  toPayload: (value, context) => defaultPayloadConverter.toPayload(value, context),
  fromPayload(payload, context) {
    try {
      return defaultPayloadConverter.fromPayload(payload, context);
    } catch (error) {
      if (context?.type === 'workflow') return undefined as never;
      throw error;
    }
  },
};
