/** Newest report on each camera; `live` is valid only while the engine repeats it. */
import type { CameraReport } from '@haris/contract/vision-live';

/** A live camera is reported every second; without a report for this long, the camera is not live. Milliseconds. */
const REPORT_WITHIN_MS = 6_000;

export interface Reports {
  of(cameraId: string): CameraReport | undefined;
  all(): readonly CameraReport[];
  /** Stores a report; returns whether the camera's state changed. */
  put(report: CameraReport): boolean;
  /** Forgets the cameras that are not in the list. */
  keep(cameraIds: readonly string[]): void;
}

export function createReports(): Reports {
  const last = new Map<string, { readonly report: CameraReport; readonly heardAt: number }>();
  function of(cameraId: string): CameraReport | undefined {
    const known = last.get(cameraId);
    if (!known) return undefined;
    const { report, heardAt } = known;
    const isOld = report.state === 'live' && performance.now() - heardAt > REPORT_WITHIN_MS;
    return isOld ? { ...report, state: 'stalled', problem: 'frozen', fps: null } : report;
  }
  return {
    of,
    all: () => [...last.keys()].flatMap((id) => of(id) ?? []),
    put(report) {
      const before = last.get(report.cameraId)?.report;
      last.set(report.cameraId, { report, heardAt: performance.now() });
      return before?.state !== report.state;
    },
    keep(cameraIds) {
      for (const id of last.keys()) if (!cameraIds.includes(id)) last.delete(id);
    },
  };
}
