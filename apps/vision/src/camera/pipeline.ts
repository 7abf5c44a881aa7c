/**
 * Decides for each camera frame whether to search it for faces, whether to encode it, and for which viewers. Sharp regions
 * come only from a frame whose own faces are known. Encodes nothing without a viewer.
 */
import type { CameraTask } from '@haris/contract/vision-live';
import type { Frame } from 'node-av';
import type { Box } from '../picture/region.ts';
import type { CameraNote, CameraOrder, PicturesNote, Subscription } from '../process/messages.ts';
import type { Analysis } from '../recognition/live.ts';
import type { Planes } from './planes.ts';
import { cutSharpRegions, drawRegions, FEATHER, makeCoarse, type SharpRegion } from './privacy.ts';
import { type Still, StillMaker } from './still.ts';
import { createZoneFiller } from './zones.ts';

type PipelineNote = Extract<CameraNote, { type: 'frame' | 'pictures' }>;
type PipelineOrder = Extract<
  CameraOrder,
  { type: 'zones' | 'subscriptions' | 'recognition' | 'analysed' | 'next' | 'taken' }
>;
type Picture = PicturesNote['pictures'][number];

/** Faces are searched about this often, with or without viewers. Milliseconds. */
const ANALYSE_EVERY_MS = 190;
/** Longest wait for the faces of a frame; after it parents see only the coarse room until analyses arrive. Milliseconds. */
const ANSWER_WITHIN_MS = 1_000;
/**
 * Pictures for staff wait this long for their faces. After `WITHOUT_FACES_MS` without faces they wait up to
 * `ANSWER_WITHIN_MS`, so that faces appear on a slow machine too. Milliseconds.
 */
const HOLD_MS = 200;
const WITHOUT_FACES_MS = 2_000;
/** A frame that staff could not get at once is dropped when it is older than this. Milliseconds. */
const LATE_MS = 100;
/** A picture may be sent this much earlier than the viewer's rate allows. Milliseconds. */
const EARLY_MS = 10;
const WHOLE_QUALITY = 75;
/** High, because a JPEG block is a quarter of the coarse picture's height: its noise would cover the whole picture. */
const COARSE_QUALITY = 92;
const SHARP_QUALITY = 82;

interface Viewer extends Subscription {
  /** Whether the viewer's last picture has been sent, so that the next may follow. */
  free: boolean;
  /** Capture times of the viewer's last picture and of its last picture with faces. */
  last: number;
  lastWithFaces: number;
}

interface Pending {
  readonly seq: number;
  readonly still: Still;
  /** Subscriptions of staff who get this frame once its faces are known. Parents are selected only then. */
  readonly staff: ReadonlySet<number>;
  answered: boolean;
}

function isDue({ last, maxFps }: Viewer, at: number): boolean {
  return at - last >= 1_000 / maxFps - EARLY_MS;
}

function wantsFaces({ lastWithFaces }: Viewer, at: number): boolean {
  return at - lastWithFaces >= ANALYSE_EVERY_MS;
}

export class Pipeline {
  readonly #tell: (note: PipelineNote) => void;
  readonly #stills = new StillMaker();
  #fillZones: ReturnType<typeof createZoneFiller> | null = null;
  /** A separate filler for the coarse room, because each filler caches its spans for one size. */
  #fillCoarseZones: ReturnType<typeof createZoneFiller> | null = null;
  #viewers: Viewer[] = [];
  #recognition = false;
  /** Starts at the current time, so that a late analysis for an earlier process matches no frame of this one. */
  #seq = Date.now();
  #analysedAt = 0;
  /** The frame that the faces process is analysing. */
  #pending: Pending | null = null;
  /** The newest frame that waits for the faces process. */
  #waiting: Still | null = null;
  /** The newest frame for staff whose previous picture is still being sent or waits for its faces. */
  #late: { readonly still: Still; readonly viewers: ReadonlySet<number> } | null = null;

  constructor(tell: (note: PipelineNote) => void) {
    this.#tell = tell;
  }

  order(order: PipelineOrder): void {
    switch (order.type) {
      case 'zones':
        this.setZones(order.zones);
        break;
      case 'subscriptions':
        this.#viewers = order.subscriptions.map((subscription) => {
          const known = this.#viewers.find((viewer) => viewer.subscription === subscription.subscription);
          return {
            ...subscription,
            free: known?.free ?? true,
            last: known?.last ?? 0,
            lastWithFaces: known?.lastWithFaces ?? 0,
          };
        });
        break;
      case 'recognition':
        this.#recognition = order.up;
        this.#pending = null;
        this.#waiting = null;
        break;
      case 'analysed':
        if (this.#pending?.seq === order.seq && !this.#pending.answered) {
          this.#pending.answered = true;
          this.#show(this.#pending, order.analysis);
        }
        break;
      case 'next':
        if (this.#pending?.seq === order.seq) this.#next();
        break;
      case 'taken': {
        const viewer = this.#viewers.find(({ subscription }) => subscription === order.subscription);
        if (!viewer) break;
        viewer.free = true;
        this.#sendLate(viewer);
        break;
      }
    }
  }

  setZones(zones: CameraTask['zones']): void {
    this.#fillZones = zones.length === 0 ? null : createZoneFiller(zones);
    this.#fillCoarseZones = zones.length === 0 ? null : createZoneFiller(zones);
    // Frames with the old zones are dropped.
    this.#pending = this.#pending && { ...this.#pending, answered: true };
    this.#waiting = null;
    this.#late = null;
  }

  /** Adds a frame that the caller still owns. `at`: milliseconds since 1970. */
  add(frame: Frame, at: number): void {
    const due = this.#viewers.filter((viewer) => isDue(viewer, at));
    const parents = due.filter(({ view, free }) => view.kind === 'only' && free);
    const staff = due.filter(({ view }) => view.kind === 'whole');
    const isLate =
      this.#pending !== null &&
      !this.#pending.answered &&
      at - this.#pending.still.capturedAt > ANSWER_WITHIN_MS;
    const canAnalyse = this.#recognition && !isLate;
    const analyse = canAnalyse && (parents.length > 0 || at - this.#analysedAt >= ANALYSE_EVERY_MS);
    const blind = canAnalyse ? [] : parents;
    // Pictures for staff wait for their faces, and later pictures for the same viewer wait behind them.
    const wait = staff.filter((viewer) => !viewer.free || (canAnalyse && this.#isWaitedFor(viewer, at)));
    const showNow = staff.filter(
      (viewer) =>
        !wait.includes(viewer) && !(canAnalyse && analyse && !this.#pending && wantsFaces(viewer, at)),
    );
    if (!analyse && staff.length === 0 && blind.length === 0) return;
    const still = this.#stills.make(frame, at, this.#fillZones);
    if (showNow.length > 0) this.#send(still, showNow, null);
    if (blind.length > 0) this.#send(still, blind, null);
    if (wait.length > 0)
      this.#late = { still, viewers: new Set(wait.map(({ subscription }) => subscription)) };
    if (!analyse) return;
    if (this.#pending) this.#waiting = still;
    else this.#analyse(still);
  }

  close(): void {
    this.#stills.close();
  }

  #isWaitedFor({ subscription, lastWithFaces }: Viewer, at: number): boolean {
    const pending = this.#pending;
    const longest = at - lastWithFaces > WITHOUT_FACES_MS ? ANSWER_WITHIN_MS : HOLD_MS;
    return (
      pending !== null &&
      !pending.answered &&
      at - pending.still.capturedAt < longest &&
      pending.staff.has(subscription)
    );
  }

  #sendLate(viewer: Viewer): void {
    const late = this.#late;
    if (!late?.viewers.has(viewer.subscription) || late.still.capturedAt <= viewer.last) return;
    const now = Date.now();
    if (now - late.still.capturedAt > LATE_MS || this.#isWaitedFor(viewer, now)) return;
    this.#send(late.still, [viewer], null);
  }

  #analyse(still: Still): void {
    this.#analysedAt = still.capturedAt;
    const at = still.capturedAt;
    // Include viewers that are not free yet: they get no other picture until the analysis arrives, and are free by then.
    const staff = this.#viewers.filter(
      (viewer) => viewer.view.kind === 'whole' && isDue(viewer, at) && wantsFaces(viewer, at),
    );
    const waiting = new Set(staff.map(({ subscription }) => subscription));
    this.#pending = { seq: ++this.#seq, still, staff: waiting, answered: false };
    const { data, width, height } = still.toPixels();
    this.#tell({ type: 'frame', seq: this.#seq, capturedAt: still.capturedAt, width, height, pixels: data });
  }

  #next(): void {
    this.#pending = null;
    const still = this.#waiting;
    this.#waiting = null;
    if (!still) return;
    // On a slow machine a frame always waits here, and staff already got it without faces: analyse the next one instead.
    const isMissed = ({ view, last, lastWithFaces }: Viewer): boolean =>
      view.kind === 'whole' &&
      last >= still.capturedAt &&
      still.capturedAt - lastWithFaces > WITHOUT_FACES_MS;
    if (!this.#viewers.some(isMissed)) this.#analyse(still);
  }

  #show({ still, staff }: Pending, analysis: Analysis): void {
    // Use the current viewers and rights, not those at capture.
    const viewers = this.#viewers.filter(
      (viewer) =>
        viewer.free &&
        // Never send a picture older than the viewer's last one.
        viewer.last < still.capturedAt &&
        (viewer.view.kind === 'whole' ? staff.has(viewer.subscription) : isDue(viewer, still.capturedAt)),
    );
    if (viewers.length > 0) this.#send(still, viewers, analysis);
  }

  /** `analysis` must belong to this frame; null if there is none. */
  #send(still: Still, viewers: readonly Viewer[], analysis: Analysis | null): void {
    const layers: Buffer[] = [];
    const once = new Map<string, number>();
    /** Returns the index of a layer, which is made on first use. */
    const layer = (key: string, make: () => Buffer): number => {
      const known = once.get(key);
      if (known !== undefined) return known;
      const index = layers.push(make()) - 1;
      once.set(key, index);
      return index;
    };
    const partsOf = ({ x, y, width, height }: Box): [number, number, number, number] => [
      x / still.width,
      y / still.height,
      width / still.width,
      height / still.height,
    ];
    const all: [number, number, number, number] = [0, 0, 1, 1];
    const coarse = viewers.some(({ view }) => view.kind === 'only')
      ? makeCoarse(still, analysis, this.#fillCoarseZones)
      : null;
    /** The coarse room in the picture's size, made once for all families. */
    let room: Planes | null = null;
    const regionsOf = new Map<string, SharpRegion[]>();

    const pictures = viewers.map((viewer): Picture => {
      viewer.free = false;
      viewer.last = still.capturedAt;
      if (analysis) viewer.lastWithFaces = still.capturedAt;
      const { subscription, view, format } = viewer;
      if (view.kind === 'whole' || !coarse) {
        const index = layer('whole', () => still.toJpeg(WHOLE_QUALITY));
        const faces = analysis?.faces.map(({ box, subject }) => ({ box: partsOf(box), subject }));
        return { subscription, layers: [{ index, box: all }], shown: [], ...(faces && { faces }) };
      }
      const family = [...view.childIds].sort();
      const key = family.join(' ');
      const regions =
        regionsOf.get(key) ?? (analysis ? cutSharpRegions(still, coarse, analysis, family) : []);
      regionsOf.set(key, regions);
      const shown = regions.map(({ childId }) => childId);
      if (format === 'jpeg') {
        // Families without a sharp region all get the same picture.
        const index = layer(`composed ${regions.length > 0 ? key : ''}`, () => {
          room ??= this.#stills.enlarge(coarse, still.width, still.height);
          if (regions.length === 0) return this.#stills.encode(room, WHOLE_QUALITY);
          const composed = { ...room, data: Buffer.from(room.data) };
          drawRegions(composed, regions);
          return this.#stills.encode(composed, WHOLE_QUALITY);
        });
        return { subscription, layers: [{ index, box: all }], shown };
      }
      const base = layer('coarse', () => this.#stills.encode(coarse, COARSE_QUALITY));
      const sharp = regions.map(({ childId, box, planes }) => ({
        index: layer(`sharp ${childId} ${key}`, () => this.#stills.encode(planes, SHARP_QUALITY)),
        box: partsOf(box),
        childId,
        feather: FEATHER,
      }));
      return { subscription, layers: [{ index: base, box: all }, ...sharp], shown };
    });
    this.#tell({
      type: 'pictures',
      seq: ++this.#seq,
      capturedAt: still.capturedAt,
      width: still.width,
      height: still.height,
      layers,
      pictures,
    });
  }
}
