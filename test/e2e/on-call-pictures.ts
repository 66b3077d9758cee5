/** The pictures of docs/on-call-walk.md: the part of the screen that they show, in pixels. */
export const ON_CALL_PICTURES = {
  'on-call-alert': { width: 1280, height: 225 },
  'on-call-runbook': { width: 1280, height: 400 },
  'on-call-workflows': { width: 1280, height: 400 },
  'on-call-unanswered': { width: 1280, height: 400 },
} as const;

export type OnCallPicture = keyof typeof ON_CALL_PICTURES;
