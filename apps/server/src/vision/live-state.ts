/** Reads the state that the face engine needs from the database: the cameras, and the people whom they may recognise. */
import type { CameraTask, VisionCommand } from '@haris/contract/vision-live';
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import type { Config } from '../config.ts';
import { findCameras, isNetworkCamera, openAddress, readZones } from '../db/cameras.ts';
import type { CameraRow, Database } from '../db/schema.ts';
import { readSettings } from '../db/settings.ts';
import { findChildIdsInside } from '../db/stays.ts';
import type { Vault } from '../vault/vault.ts';
import type { Gallery } from './gallery.ts';
import { findMediaFile } from './media.ts';

export interface LiveState {
  readonly cameras: CameraTask[];
  /** Revision of the gallery. */
  readonly revision: number;
  readonly recognition: Extract<VisionCommand, { type: 'recognition' }>;
}

interface Sources {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  readonly gallery: Gallery;
  readonly config: Config;
  readonly log: Logger;
  /** Whether this server may connect to the network cameras. */
  readonly share: { claim(): Promise<boolean> };
}

/** Rejects if the database fails. */
export async function readLiveState(sources: Sources): Promise<LiveState> {
  const { db, config, gallery } = sources;
  const { revision } = await gallery.read();
  const cameras = await findCameras(db);
  const hasNetworkCameras = await sources.share.claim();
  const settings = await readSettings(db, config);
  const inside = await findChildIdsInside(db);
  return {
    revision,
    cameras: cameras.map((camera) => {
      const task = taskOf(sources, camera);
      // Another server is connected to the camera.
      return isNetworkCamera(camera) && !hasNetworkCameras ? { ...task, enabled: false } : task;
    }),
    recognition: {
      type: 'recognition',
      threshold: settings.recognitionThreshold,
      margin: settings.recognitionMargin,
      inside: inside.sort(),
    },
  };
}

/** Task of a camera. A camera whose row is unreadable is switched off, because it must not be shown without its zones. */
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
