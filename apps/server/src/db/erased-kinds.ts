/** What an erasure can remove. */

/**
 * Erasures are repeated in this order: a child that was erased with its parent has a record of its own, so what is left of a parent's
 * children was passed on; and deleting a sensor or a camera deletes its keys.
 * - `child`, `parent`, `admin`: a person with all their data;
 * - `collector`: an adult who could pick up a child (`collectors.id`);
 * - `adult_face`: an adult's encoding (`adult_faces.id`);
 * - `sensor`, `home_assistant`, `camera`: a device or account with its keys;
 * - `sensor_key`: password and device key of a sensor that got new ones; the id is the keyed hash of the device key;
 * - `camera_device`: the pairing of a device that is a camera; the id is `pairingId` of it.
 */
export const ERASED_KINDS = [
  'child',
  'parent',
  'admin',
  'collector',
  'adult_face',
  'sensor',
  'sensor_key',
  'home_assistant',
  'camera',
  'camera_device',
] as const;
export type ErasedKind = (typeof ERASED_KINDS)[number];
