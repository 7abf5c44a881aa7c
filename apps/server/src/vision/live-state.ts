/** What the face engine must know of the place: its cameras, and whom they may name. Read whole from the database. */
import type { CameraTask, RosterEntry, VisionCommand } from '@haris/contract/vision-live';
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import type { Config } from '../config.ts';
import { findCameras, isNetworkCamera, openAddress, readZones } from '../db/cameras.ts';
import type { CameraRow, Database } from '../db/schema.ts';
import { readSettings } from '../db/settings.ts';
import type { Vault } from '../vault/vault.ts';
import type { Adults } from './adults.ts';
import type { Gallery } from './gallery.ts';
import { findMediaFile } from './media.ts';

export interface LiveState {
  readonly cameras: CameraTask[];
  readonly roster: Extract<VisionCommand, { type: 'roster' }>;
}

interface Sources {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  readonly gallery: Gallery;
  readonly adults: Adults;
  readonly config: Config;
  readonly log: Logger;
  /** Whether this server may connect to the network cameras. */
  readonly share: { claim(): Promise<boolean> };
}

/** Rejects when the database does not answer. */
export async function readLiveState(sources: Sources): Promise<LiveState> {
  const { db, config, gallery, adults } = sources;
  // Before the stays: whoever is checked out in between is at worst told as outside too early.
  const { revision, entries } = await gallery.read();
  const grownUps = await adults.read(revision);
  const cameras = await findCameras(db);
  const hasNetworkCameras = await sources.share.claim();
  const settings = await readSettings(db, config);
  const open = await db.selectFrom('stays').select('child_id').where('exit_time', 'is', null).execute();
  const inside = new Set(open.map((stay) => stay.child_id));
  return {
    cameras: cameras.map((camera) => {
      const task = taskOf(sources, camera);
      // Another server is connected to it.
      return isNetworkCamera(camera) && !hasNetworkCameras ? { ...task, enabled: false } : task;
    }),
    roster: {
      type: 'roster',
      revision,
      threshold: settings.recognitionThreshold,
      margin: settings.recognitionMargin,
      entries: [
        ...entries.map(
          ({ childId, encodings }): RosterEntry => ({
            subjectId: childId,
            kind: 'child',
            inside: inside.has(childId),
            encodings,
          }),
        ),
        ...grownUps,
      ],
    },
  };
}

/** A camera whose row cannot be read is one that is switched off: without its zones it must not be shown. */
function taskOf({ vault, config, log }: Sources, camera: CameraRow): CameraTask {
  try {
    const address = openAddress(vault, camera);
    const url = camera.kind === 'file' && address !== null ? findMediaFile(config.dataDir, address) : address;
    return {
      id: camera.id,
      kind: camera.kind,
      url,
      zones: readZones(camera),
      enabled: camera.enabled === 1 && (url !== null || camera.kind === 'browser'),
    };
  } catch (error) {
    log.error({ cameraId: camera.id, ...describeFailure(error) }, 'a camera cannot be read');
    return { id: camera.id, kind: camera.kind, url: null, zones: [], enabled: false };
  }
}
