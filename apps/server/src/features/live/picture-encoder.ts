/** Encodes the engine's pictures once for all viewers of a feed, and names the faces. */
import { encodePicture, type PictureHeader } from '@haris/contract/live/video';
import type { Subject } from '@haris/contract/subject';
import type { Clock } from '../../clock.ts';
import type { LivePicture } from '../../vision/live-picture.ts';
import { multipartPart } from './mjpeg.ts';
import type { EncodedPicture } from './sink.ts';

/** `jpeg`: parts of a multipart response; `layers`: messages of the live socket. */
export type PictureFormat = 'jpeg' | 'layers';

export type NamedFaces = NonNullable<PictureHeader['faces']>;

/** A person whom the engine may recognise. */
export interface Named {
  readonly name: string;
  readonly kind: Exclude<NamedFaces[number]['kind'], 'unknown'>;
}

/** The camera and the format of a picture. */
interface PictureOf {
  readonly cameraId: string;
  readonly format: PictureFormat;
}

export interface PictureEncoder {
  /** Null for a picture without layers. */
  encode(picture: LivePicture, { cameraId, format }: PictureOf): EncodedPicture | null;
  nameFaces(faces: NonNullable<LivePicture['faces']>, cameraId: string): NamedFaces;
}

export interface EncoderParts {
  readonly clock: Clock;
  /** Person with this subject id, for the pictures of staff; null if unknown at the facility of the camera. */
  nameOf(subject: Subject, cameraId: string): Named | null;
}

export function createPictureEncoder({ clock, nameOf }: EncoderParts): PictureEncoder {
  let newestSeq = 0;

  function nameFaces(faces: NonNullable<LivePicture['faces']>, cameraId: string): NamedFaces {
    return faces.map(({ box, subject }) => {
      const named = subject && nameOf(subject, cameraId);
      if (named === null) return { box, childId: null, name: null, kind: 'unknown' };
      return { box, childId: subject?.kind === 'child' ? subject.id : null, ...named };
    });
  }

  function headerOf(
    picture: LivePicture,
    cameraId: string,
    { seq, capturedAt }: { readonly seq: number; readonly capturedAt: number },
  ): PictureHeader {
    return {
      seq,
      capturedAt,
      width: picture.width,
      height: picture.height,
      layers: picture.layers.map(({ bytes, box, childId, feather }) => ({
        bytes,
        box,
        ...(childId === undefined ? {} : { childId }),
        ...(feather === undefined ? {} : { feather }),
      })),
      ...(picture.faces ? { faces: nameFaces(picture.faces, cameraId) } : {}),
    };
  }

  return {
    nameFaces,
    encode(picture, { cameraId, format }) {
      const seq = ++newestSeq;
      // The engine's clock may be ahead; do not let the picture look fresher than it is.
      const capturedAt = Math.min(picture.capturedAt, clock.now());
      const [first] = picture.layers;
      if (!first) return null;
      if (format === 'jpeg') return { seq, bytes: multipartPart(first.jpeg, capturedAt) };
      const layers = picture.layers.map(({ jpeg }) => jpeg);
      return { seq, bytes: encodePicture(headerOf(picture, cameraId, { seq, capturedAt }), layers) };
    },
  };
}
