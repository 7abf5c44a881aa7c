/** What an erasure can remove. */

/**
 * Erasures are repeated in this order: deleting a parent deletes the children too, and deleting a sensor or a camera its keys.
 * - `parent`, `child`, `admin`: a person with all their data;
 * - `adult_face`: an adult's encoding (`adult_faces.id`);
 * - `sensor`, `home_assistant`, `camera`: a device or account with its keys;
 * - `sensor_key`: password and device key of a sensor that got new ones; the id is the keyed hash of the device key;
 * - `camera_device`: the pairing of a device that is a camera; the id is `pairingId` of it.
 */
export const ERASED_KINDS = [
  'parent',
  'child',
  'admin',
  'adult_face',
  'sensor',
  'sensor_key',
  'home_assistant',
  'camera',
  'camera_device',
] as const;
export type ErasedKind = (typeof ERASED_KINDS)[number];
