/** Adds, changes and deletes cameras. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { findAddressProblem, type Zone } from '@haris/contract/http/cameras';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { deletePairingCode, endDevice } from '../../db/camera-devices.ts';
import {
  cameraSearchColumns,
  deleteCameraRow,
  insertCamera,
  lockCamera,
  openAddress,
  sealAddress,
  updateCameraRow,
} from '../../db/cameras.ts';
import type { CameraRow } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { currentFacility } from '../../facility.ts';
import { requireProof } from '../../http/proof.ts';
import { roomNameFor } from '../../rooms/areas.ts';
import { findMediaFile } from '../../vision/media.ts';
import { type CameraKind, completeAddress, findHostProblem } from './address.ts';

export interface CameraInput {
  readonly name: string;
  readonly area: string;
  readonly kind: CameraKind;
  readonly url?: string | undefined;
  readonly zones?: Zone[] | undefined;
}

export type CameraChange = { readonly [Name in keyof CameraInput]?: CameraInput[Name] | undefined } & {
  readonly enabled?: boolean | undefined;
};

function refuseAddress(message: string): never {
  throw new AppError('invalid_request', { message, fields: { url: message } });
}

/** Checks a camera's address and completes it for storing. Throws 400 with the field `url`. */
async function judgeAddress(
  context: Context,
  kind: CameraKind,
  asked: string | undefined,
  kept: string | null,
): Promise<string | undefined> {
  const problem = findAddressProblem(kind, asked);
  if (problem) refuseAddress(problem);
  if (asked === undefined) return undefined;
  const url = completeAddress(kind, asked, kept);
  if (url === null) refuseAddress('Please type the user and the password of the camera again');
  if (kind === 'file' && !findMediaFile(context.config.dataDir, url))
    refuseAddress('There is no such file below the media folder');
  const hostProblem = await findHostProblem(kind, url);
  if (hostProblem) refuseAddress(hostProblem);
  return url;
}

/** Adds an enabled camera. Throws 400. */
export async function createCamera(context: Context, actor: Actor, input: CameraInput): Promise<CameraRow> {
  const url = await judgeAddress(context, input.kind, input.url, null);
  const zones = input.zones ?? [];
  const id = randomUUID();
  return inTransaction(context.db, async (tx) => {
    const area = await roomNameFor(context, tx, { actor, facility: currentFacility() }, input.area);
    const row: CameraRow = {
      id,
      facility_id: currentFacility(),
      name: input.name,
      area,
      kind: input.kind,
      address_sealed: sealAddress(context.vault, id, url),
      zones: JSON.stringify(zones),
      enabled: 1,
      ...cameraSearchColumns(input.name, area),
      created_at: context.clock.now(),
    };
    await insertCamera(tx.trx, row);
    await context.audit.append(tx, {
      actor,
      action: 'camera.created',
      subject: { kind: 'camera', id },
      details: { kind: input.kind, zones: zones.length },
    });
    await context.events.append(tx, { type: 'camera.created' });
    return row;
  });
}

/**
 * Whether a change shows another part of the house, shows it to other families, or stops watching. Pure; kind and address
 * are compared by the caller.
 */
function needsProof(current: CameraRow, { zones, area, enabled }: CameraChange): boolean {
  return (
    (zones !== undefined && !isDeepStrictEqual(zones, JSON.parse(current.zones))) ||
    area !== current.area ||
    (enabled === false && current.enabled === 1)
  );
}

/** Changes a camera. Throws 404, 400, `proof_required`. */
export async function updateCamera(
  context: Context,
  actor: Actor,
  before: CameraRow,
  change: CameraChange,
): Promise<CameraRow> {
  const { id } = before;
  const kind = change.kind ?? before.kind;
  const kept = openAddress(context.vault, before);
  const asked = change.url ?? (kind === 'browser' ? undefined : (kept ?? undefined));
  const url = await judgeAddress(context, kind, asked, kept);
  const addressChanged = (url ?? null) !== kept;
  const changed = await inTransaction(context.db, async (tx) => {
    // Lock rooms before cameras, in the same order as renaming a room does.
    const room =
      change.area === undefined
        ? undefined
        : await roomNameFor(context, tx, { actor, facility: currentFacility() }, change.area);
    const current = await lockCamera(tx.trx, id);
    if (!current) throw new AppError('not_found');
    // The camera was changed meanwhile: the checked address is no longer the current one.
    if (current.kind !== before.kind || openAddress(context.vault, current) !== kept)
      throw new AppError('unavailable');
    const name = change.name ?? current.name;
    const area = room ?? current.area;
    // Compared with the row that is changed: another one may have been drawn since the call began.
    if (kind !== current.kind || addressChanged || needsProof(current, { ...change, area }))
      await requireProof(context, actor, tx.trx);
    const row: CameraRow = {
      ...current,
      name,
      area,
      kind,
      address_sealed: addressChanged ? sealAddress(context.vault, id, url) : current.address_sealed,
      zones: change.zones ? JSON.stringify(change.zones) : current.zones,
      enabled: change.enabled === undefined ? current.enabled : change.enabled ? 1 : 0,
      ...cameraSearchColumns(name, area),
    };
    await updateCameraRow(tx.trx, row);
    if (kind !== before.kind) {
      await deletePairingCode(tx.trx, id);
      await endDevice(tx.trx, id, context.clock.now());
    }
    await context.audit.append(tx, {
      actor,
      action: 'camera.updated',
      subject: { kind: 'camera', id },
      details: {
        name: change.name !== undefined,
        area: change.area !== undefined,
        kind: change.kind,
        addressChanged,
        zones: change.zones?.length,
        enabled: change.enabled,
      },
    });
    await context.events.append(tx, { type: 'camera.updated' });
    return row;
  });
  await context.erasures.update();
  return changed;
}

/** Deletes a camera, its device and its sightings. Throws 404. */
export async function deleteCamera(context: Context, actor: Actor, id: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    if (!(await deleteCameraRow(tx.trx, id, context.clock.now()))) throw new AppError('not_found');
    await context.audit.append(tx, {
      actor,
      action: 'camera.deleted',
      subject: { kind: 'camera', id },
    });
    await context.events.append(tx, { type: 'camera.deleted' });
  });
  await context.erasures.update();
}
