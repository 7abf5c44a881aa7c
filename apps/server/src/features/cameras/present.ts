/** Presents a camera as an API object, from its row and the engine's report. */
import type { Camera } from '@haris/contract/http/cameras';
import type { CameraReport } from '@haris/contract/vision-live';
import { toMoment } from '../../clock.ts';
import { openAddress, readZones } from '../../db/cameras.ts';
import type { CameraRow } from '../../db/schema.ts';
import type { Vault } from '../../vault/vault.ts';
import { showAddress } from './address.ts';

export interface CameraLife {
  readonly engineUp: boolean;
  readonly report: CameraReport | undefined;
  /** Whether a device is paired with the camera. */
  readonly paired: boolean;
}

/** Pure, apart from the vault. */
export function presentCamera(vault: Vault, row: CameraRow, life: CameraLife): Camera {
  const { report } = life;
  return {
    _id: row.id,
    name: row.name,
    area: row.area,
    kind: row.kind,
    ...showAddress(row.kind, openAddress(vault, row)),
    zones: readZones(row),
    enabled: row.enabled === 1,
    ...stateOf(row, life),
    fps: report?.fps ?? null,
    width: report?.width ?? null,
    height: report?.height ?? null,
    lastFrameAt: report?.lastFrameAt == null ? null : toMoment(report.lastFrameAt),
    reconnects: report?.reconnects ?? 0,
  };
}

function stateOf(
  row: CameraRow,
  { engineUp, report, paired }: CameraLife,
): Pick<Camera, 'state' | 'problem'> {
  if (row.enabled === 0) return { state: 'off', problem: null };
  if (!engineUp) return { state: 'connecting', problem: 'engine_down' };
  if (row.kind === 'browser' && !paired) return { state: 'connecting', problem: 'not_paired' };
  if (!report) return { state: 'connecting', problem: null };
  // Enabled here but off in the engine: the camera's file is missing, or its row cannot be read.
  if (report.state === 'off') return { state: 'connecting', problem: report.problem ?? 'unreachable' };
  return { state: report.state, problem: report.problem };
}
