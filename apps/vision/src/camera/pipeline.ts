/**
 * What happens to a camera's pictures: which are looked at for faces, which are encoded, and for whom. A picture for a
 * parent is made from a picture whose own faces are known, never from another. Nothing is encoded that nobody asked for.
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

/** Faces are looked for at least this often, also while nobody watches: five times a second, and a little room. */
const ANALYSE_EVERY_MS = 190;
/** An answer that takes longer is not waited for: parents see the coarse room until answers come again. */
const ANSWER_WITHIN_MS = 1_000;
/** Staff's pictures wait for their faces no longer than this; but where a machine is too slow for it, they have them now and then. */
const HOLD_MS = 200;
const WITHOUT_FACES_MS = 2_000;
/** A picture that staff could not get at once is worth sending for so long. */
const LATE_MS = 100;
/** A viewer's rate is met within this much. Milliseconds. */
const EARLY_MS = 10;
const WHOLE_QUALITY = 75;
/** High: a block of the encoding is a quarter of the coarse picture's height, and its noise would be seen all over it. */
const COARSE_QUALITY = 92;
const SHARP_QUALITY = 82;

interface Viewer extends Subscription {
  /** Its last picture has left, so that it may get another. */
  free: boolean;
  /** When the picture that it got last was taken, and the last one whose faces were known. */
  last: number;
  lastWithFaces: number;
}

interface Pending {
  readonly seq: number;
  readonly still: Still;
  /** Staff who get this very picture once its faces are known; parents are those who are free by then. */
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
  /** The same for the coarse room: each keeps what it needs for pictures of one size. */
  #fillCoarseZones: ReturnType<typeof createZoneFiller> | null = null;
  #viewers: Viewer[] = [];
  #recognition = false;
  /** Begins with the time: no answer about a picture of an earlier process is taken for one of this. */
  #seq = Date.now();
  #analysedAt = 0;
  /** Under way to the faces process and not done with there. */
  #pending: Pending | null = null;
  /** The newest picture that waits for its turn there. */
  #waiting: Still | null = null;
  /** The newest picture for staff whose last one is still under way or waits for its faces: it follows that one. */
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
    // What was made with the old zones is not shown any more.
    this.#pending = this.#pending && { ...this.#pending, answered: true };
    this.#waiting = null;
    this.#late = null;
  }

  /** Takes a picture; the frame stays the caller's. `at` in milliseconds since 1970. */
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
    // Some pictures for staff carry the faces that were found in them; those wait for the answer, and later ones with them.
    const wait = staff.filter((viewer) => !viewer.free || (canAnalyse && this.#isWaitedFor(viewer, at)));
    const showNow = staff.filter(
      (viewer) =>
        !wait.includes(viewer) && !(canAnalyse && analyse && !this.#pending && wantsFaces(viewer, at)),
    );
    if (!analyse && staff.length === 0 && blind.length === 0) return;
    const keepBehind = staff.some(({ view }) => view.kind === 'whole' && view.behindZones);
    const still = this.#stills.make(frame, at, this.#fillZones, keepBehind);
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
    // Also who is not free yet: nothing else is sent to them until the answer comes, so that they will be.
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
    // On a slow machine one picture always waits, which staff have seen by then: the next one is looked at for them.
    const isMissed = ({ view, last, lastWithFaces }: Viewer): boolean =>
      view.kind === 'whole' &&
      last >= still.capturedAt &&
      still.capturedAt - lastWithFaces > WITHOUT_FACES_MS;
    if (!this.#viewers.some(isMissed)) this.#analyse(still);
  }

  #show({ still, staff }: Pending, analysis: Analysis): void {
    // Only who watches by now, and what they may see by now.
    const viewers = this.#viewers.filter(
      (viewer) =>
        viewer.free &&
        // Never one older than the last.
        viewer.last < still.capturedAt &&
        (viewer.view.kind === 'whole' ? staff.has(viewer.subscription) : isDue(viewer, still.capturedAt)),
    );
    if (viewers.length > 0) this.#send(still, viewers, analysis);
  }

  /** `analysis` is of this very picture, or null when nobody looked. */
  #send(still: Still, viewers: readonly Viewer[], analysis: Analysis | null): void {
    const layers: Buffer[] = [];
    const once = new Map<string, number>();
    /** The index of a layer that is made when it is first asked for. */
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
        const behind = view.kind === 'whole' && view.behindZones;
        const index = layer(`whole ${behind}`, () => still.toJpeg(WHOLE_QUALITY, behind));
        const faces = analysis?.faces.map(({ box, subjectId }) => ({ box: partsOf(box), subjectId }));
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
