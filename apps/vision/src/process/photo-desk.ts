/** Handles uploaded photos: decodes them in a photo process per asker kind and searches them in the faces process. */
import type { VisionAsker } from '@haris/contract/vision';
import type { Logger } from '@haris/runtime/log';
import type { Recognizer } from '../faces/recognizer.ts';
import type { FacesProcess } from './faces-process.ts';
import { createPhotoProcess, type PhotoProcess } from './photo-process.ts';

/** A recognizer whose methods also take the kind of asker. */
export type PhotoDesk = Pick<Recognizer, 'model'> & {
  [Call in Exclude<keyof Recognizer, 'model'>]: (
    bytes: Uint8Array,
    asker: VisionAsker,
  ) => ReturnType<Recognizer[Call]>;
};

export function openPhotoDesk(faces: FacesProcess, log: Logger): PhotoDesk & { stop(): void } {
  const readers: Readonly<Record<VisionAsker, PhotoProcess>> = {
    staff: createPhotoProcess({ log }),
    public: createPhotoProcess({ log }),
  };
  const { recognizer } = faces;
  return {
    get model() {
      return recognizer.model;
    },
    normalize: (bytes, asker) => readers[asker].keep(bytes),
    enrol: async (bytes, asker) => recognizer.enrol(await readers[asker].read(bytes)),
    guide: async (bytes, asker) => recognizer.guide(await readers[asker].read(bytes)),
    findFaces: async (bytes, asker) => recognizer.findFaces(await readers[asker].read(bytes)),
    stop() {
      for (const reader of Object.values(readers)) reader.stop();
    },
  };
}
