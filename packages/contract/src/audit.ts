/** What the audit log can say: every action that the server writes down. */

/**
 * Codes of the actions, `noun.verb`. A page must have words for each; a log may hold others as well, for an older or a
 * newer server has written them.
 */
export const AUDIT_ACTIONS = [
  'admin.created',
  'admin.deleted',
  'admin.email_verified',
  'admin.language_chosen',
  'admin.password_set',
  'admin.sign_in_failed',
  'admin.signed_in',
  'admin.signed_out',
  'attendance.exported',
  'attendance.read',
  'audit.exported',
  'audit.read',
  'camera.created',
  'camera.deleted',
  'camera.paired',
  'camera.pairing_created',
  'camera.updated',
  'child.check_in_undone',
  'child.checked_in',
  'child.checked_out',
  'child.checkout_undone',
  'child.created',
  'child.deleted',
  'child.not_seen',
  'child.photo_added',
  'child.seen_outside',
  'child.time_up',
  'child.updated',
  'face.checked',
  'home_assistant.created',
  'home_assistant.deleted',
  'parent.created',
  'parent.deleted',
  'parent.email_verified',
  'parent.language_chosen',
  'parent.marked_verified',
  'parent.password_set',
  'parent.sign_in_failed',
  'parent.updated',
  'parents.imported',
  'photo.viewed',
  'sensor.created',
  'sensor.deleted',
  'sensor.secrets_renewed',
  'sensor.updated',
  'settings.updated',
  'sightings.read',
  'video.ended',
  'video.started',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Kinds of what an action can be about. */
export const AUDIT_SUBJECTS = ['admin', 'parent', 'child', 'camera', 'sensor', 'home_assistant'] as const;
export type AuditSubjectKind = (typeof AUDIT_SUBJECTS)[number];
