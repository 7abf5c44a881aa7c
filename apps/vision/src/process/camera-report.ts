/** Keeps the report on one camera and sends it on each change; reports `frozen` when frames stop. */
import type { CameraReport } from '@haris/contract/vision-live';
import type { CameraProblem } from './messages.ts';

export interface Reporter {
  readonly current: CameraReport;
  /** Changes the report and sends it. `state: 'live'` means that frames are arriving now. */
  set(change: Partial<CameraReport>): void;
  stop(): void;
}

const LOOK_EVERY_MS = 1_000;

/** `frozenAfterMs`: a live camera without a new live report for this long counts as stalled. */
export function openReporter(
  cameraId: string,
  frozenAfterMs: number,
  onReport: (report: CameraReport) => void,
): Reporter {
  let current: CameraReport = {
    cameraId,
    state: 'connecting',
    problem: null,
    fps: null,
    width: null,
    height: null,
    lastFrameAt: null,
    reconnects: 0,
  };
  /** Time of the last live report, on a monotonic clock. Milliseconds. */
  let heardAt = 0;

  function set(change: Partial<CameraReport>): void {
    if (change.state === 'live') heardAt = performance.now();
    current = { ...current, ...change };
    onReport(current);
  }

  const timer = setInterval(() => {
    if (current.state === 'live' && performance.now() - heardAt > frozenAfterMs)
      set({ state: 'stalled', problem: 'frozen', fps: null });
  }, LOOK_EVERY_MS);
  return {
    get current() {
      return current;
    },
    set,
    stop: () => clearInterval(timer),
  };
}

export interface ConnectionReport {
  /** What the process that runs or has ended last could not do; null if nothing is known. */
  readonly problem: CameraProblem | null;
  /** A process has started; each one after the first is a reconnect. */
  onStart(): void;
  /** The process cannot continue. Reported when it has ended. */
  onProblem(problem: CameraProblem): void;
  onLive(status: Pick<CameraReport, 'fps' | 'width' | 'height' | 'lastFrameAt'>): void;
  /** The process has ended. */
  onEnd(): void;
}

/** Reports how one connection goes, from process to process. */
export function openConnectionReport(reporter: Reporter): ConnectionReport {
  let problem: CameraProblem | null = null;
  let starts = 0;
  return {
    get problem() {
      return problem;
    },
    onStart() {
      problem = null;
      if (starts++ > 0) reporter.set({ state: 'connecting', reconnects: reporter.current.reconnects + 1 });
    },
    onProblem(named) {
      problem = named;
    },
    onLive({ fps, width, height, lastFrameAt }) {
      reporter.set({ state: 'live', problem: null, fps, width, height, lastFrameAt });
    },
    onEnd() {
      reporter.set({ state: 'stalled', problem: problem ?? 'no_picture', fps: null });
    },
  };
}
