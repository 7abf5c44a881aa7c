/** The engine's only copy of the gallery, as its server sent it. */
import type { VisionGallery } from '@haris/contract/vision';
import { createGallery, type Gallery } from './match.ts';

type Entries = VisionGallery['entries'];
type Listener = (server: string, entries: Entries) => void;

export class EnrolledFaces {
  #held: { readonly server: string; readonly revision: number; readonly children: Gallery } | null = null;
  readonly #listeners = new Set<Listener>();

  /** Replaces the gallery and remembers its server, because revisions of two servers may coincide. */
  put(server: string, { revision, entries }: VisionGallery): void {
    const children = createGallery(entries.filter(({ subject }) => subject.kind === 'child'));
    this.#held = { server, revision, children };
    for (const listener of this.#listeners) listener(server, entries);
  }

  /** The enrolled children; null if the gallery is from another server or revision. */
  childrenOf(server: string, revision: number): Gallery | null {
    return this.#held?.server === server && this.#held.revision === revision ? this.#held.children : null;
  }

  /** Null without a gallery. */
  get revision(): number | null {
    return this.#held?.revision ?? null;
  }

  /** Calls `listener` with each new gallery until the returned function is called. */
  onPut(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  forget(): void {
    this.#held = null;
  }
}
