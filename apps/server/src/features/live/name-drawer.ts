/** Draws boxes and names into the multipart pictures for staff, because programs such as VLC show only the picture. */
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { LivePicture } from '../../vision/live-picture.ts';
import { drawNames } from './named-boxes.ts';
import type { NamedFaces } from './picture-encoder.ts';

/** How long boxes stay on later pictures: faces are detected only a few times a second. Milliseconds. */
const FACES_KEPT_MS = 1_000;

type Faces = NonNullable<LivePicture['faces']>;

export interface NameDrawerParts {
  readonly log: Logger;
  nameFaces(faces: Faces): NamedFaces;
  /** Called with each picture, in order. */
  deliver(picture: LivePicture): void;
}

/** Returns a function that receives pictures. It draws one at a time, and keeps only the newest of those waiting. */
export function createNameDrawer({
  log,
  nameFaces,
  deliver,
}: NameDrawerParts): (picture: LivePicture) => void {
  let known: { readonly faces: Faces; readonly at: number } | null = null;
  let waiting: LivePicture | null = null;
  let isBusy = false;

  async function draw(picture: LivePicture): Promise<LivePicture> {
    const [first] = picture.layers;
    if (picture.faces) known = { faces: picture.faces, at: picture.capturedAt };
    if (!first || !known || known.faces.length === 0 || picture.capturedAt - known.at > FACES_KEPT_MS)
      return picture;
    try {
      const jpeg = await drawNames(first.jpeg, nameFaces(known.faces));
      return { ...picture, layers: [{ ...first, jpeg }] };
    } catch (error) {
      // Deliver the picture without names: staff may see all of it.
      log.warn(describeFailure(error), 'names could not be drawn');
      return picture;
    }
  }

  async function drawAll(picture: LivePicture): Promise<void> {
    isBusy = true;
    for (let next: LivePicture | null = picture; next; ) {
      deliver(await draw(next));
      next = waiting;
      waiting = null;
    }
    isBusy = false;
  }

  return (picture) => {
    if (!isBusy) void drawAll(picture);
    // Keep the faces of a dropped picture, because the newer picture may have none.
    else waiting = picture.faces || !waiting?.faces ? picture : { ...picture, faces: waiting.faces };
  };
}
