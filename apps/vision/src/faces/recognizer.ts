/** Turns photo bytes into faces: detection, alignment, encoding and quality checks. */
import { ENROL_FACE_MIN_WIDTH } from '@haris/contract/constants';
import type { FaceBox } from '@haris/contract/vision';
import { type KeptPhoto, makeKeptPhoto, type Photo, type PhotoInput, readPhoto } from '../picture/photo.ts';
import { Pyramid } from '../picture/pixels.ts';
import type { Detection } from './detector.ts';
import { loadNetworks, MATCH_FACE_MIN_WIDTH, type Networks } from './networks.ts';
import { type FaceProblem, type Frame, findProblem, lookAt, rateFace } from './quality.ts';
import { findVisibilityProblem } from './visibility.ts';

/** If the first face is narrower than this fraction of the photo's longest side, the first search may miss similar ones. */
const LOOK_CLOSER_BELOW = 0.2;

/** The photo cannot be used to enrol a face. */
export class FaceProblemError extends Error {
  override name = 'FaceProblemError';
  readonly problem: FaceProblem;

  constructor(problem: FaceProblem) {
    super(problem);
    this.problem = problem;
  }
}

/**
 * Boxes are whole pixels of the upright photo as sent. All methods throw UnreadablePhotoError. Only one call may run at a
 * time, because calls share the networks' input buffers.
 */
export interface Recognizer {
  /** Name of this set of networks; encodings made under different names cannot be compared. */
  readonly model: string;
  normalize(photo: PhotoInput): Promise<KeptPhoto>;
  /** Encodes the face of a photo for enrolment. Throws {@link FaceProblemError} if the photo is unsuitable. */
  enrol(photo: PhotoInput): Promise<{ photo: KeptPhoto; box: FaceBox; encoding: number[]; quality: number }>;
  /** Checks whether a photo suits `enrol`, without encoding the face. */
  guide(
    photo: PhotoInput,
  ): Promise<{ problem: FaceProblem | null; box: FaceBox | null; width: number; height: number }>;
  /** Finds every face, most prominent first; `encoding` is null for faces under 40 px wide. */
  findFaces(photo: PhotoInput): Promise<{ box: FaceBox; encoding: number[] | null }[]>;
}

/** Throws like {@link loadNetworks}. */
export async function loadRecognizer(modelsDir: string): Promise<Recognizer> {
  return createRecognizer(await loadNetworks(modelsDir));
}

export function createRecognizer({ model, detector, encode, inspect }: Networks): Recognizer {
  /** Runs the cheap checks first: they reject most bad photos. */
  async function findAnyProblem(
    pyramid: Pyramid,
    faces: readonly Detection[],
    frame: Frame,
  ): Promise<FaceProblem | null> {
    const problem = findProblem(pyramid, faces, frame, ENROL_FACE_MIN_WIDTH);
    const [face] = faces;
    return problem ?? (face ? findVisibilityProblem(await inspect(pyramid, face)) : 'no_face');
  }

  return {
    model,
    async normalize(input) {
      return makeKeptPhoto(await readPhoto(input));
    },
    async enrol(input) {
      const photo = await readPhoto(input);
      const frame = frameOf(photo);
      const pyramid = new Pyramid(photo.pixels);
      let faces = await detector.detect(pyramid);
      const widest = faces[0]?.width ?? 0;
      if (widest < LOOK_CLOSER_BELOW * Math.max(frame.width, frame.height))
        faces = await detector.detectSmall(pyramid);
      const problem = await findAnyProblem(pyramid, faces, frame);
      const [face] = faces;
      if (problem || !face) throw new FaceProblemError(problem ?? 'no_face');
      return {
        photo: await makeKeptPhoto(photo),
        box: boxOf(face, frame, photo),
        encoding: Array.from(await encode(pyramid, face)),
        quality: rateFace(face, lookAt(pyramid, face), frame),
      };
    },
    async guide(input) {
      const photo = await readPhoto(input);
      const frame = frameOf(photo);
      const pyramid = new Pyramid(photo.pixels);
      const faces = await detector.detect(pyramid);
      const [face] = faces;
      return {
        problem: await findAnyProblem(pyramid, faces, frame),
        box: face ? boxOf(face, frame, photo) : null,
        width: photo.width,
        height: photo.height,
      };
    },
    async findFaces(input) {
      const photo = await readPhoto(input);
      const frame = frameOf(photo);
      const pyramid = new Pyramid(photo.pixels);
      const found: { box: FaceBox; encoding: number[] | null }[] = [];
      for (const face of await detector.detectSmall(pyramid)) {
        const isLarge = face.width * frame.sentScale >= MATCH_FACE_MIN_WIDTH;
        found.push({
          box: boxOf(face, frame, photo),
          encoding: isLarge ? Array.from(await encode(pyramid, face)) : null,
        });
      }
      return found;
    },
  };
}

function frameOf({ width, pixels }: Photo): Frame {
  return { width: pixels.width, height: pixels.height, sentScale: width / pixels.width };
}

/** The part of the box that lies in the photo, in pixels of the photo as sent. */
function boxOf(face: Detection, { sentScale }: Frame, sent: Photo): FaceBox {
  const within = (value: number, most: number): number =>
    Math.round(Math.min(most, Math.max(0, value * sentScale)));
  const left = within(face.x, sent.width);
  const top = within(face.y, sent.height);
  return [
    left,
    top,
    within(face.x + face.width, sent.width) - left,
    within(face.y + face.height, sent.height) - top,
  ];
}
