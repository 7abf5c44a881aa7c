/** A device camera for page tests, whose pictures have a fixed size and no content. */
import { vi } from 'vitest';
import { giveCanvas } from './canvas.ts';

export interface DeviceCamera {
  /** `live` or `ended` for every track that the page has received, oldest first. */
  states: () => readonly string[];
}

const PICTURE = { width: 1280, height: 960 };
/** Makes video elements show their stream at once. */
function fakeVideo(): void {
  const sources = new WeakMap<HTMLMediaElement, unknown>();
  vi.spyOn(HTMLVideoElement.prototype, 'videoWidth', 'get').mockReturnValue(PICTURE.width);
  vi.spyOn(HTMLVideoElement.prototype, 'videoHeight', 'get').mockReturnValue(PICTURE.height);
  Object.defineProperty(HTMLMediaElement.prototype, 'srcObject', {
    configurable: true,
    get() {
      return sources.get(this) ?? null;
    },
    set(this: HTMLMediaElement, stream: unknown) {
      sources.set(this, stream);
      if (stream !== null) setTimeout(() => this.dispatchEvent(new Event('playing')));
    },
  });
}

class Track extends EventTarget {
  readyState = 'live';
  stop(): void {
    this.readyState = 'ended';
  }
}

function giveDevices(getUserMedia: () => Promise<unknown>): void {
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } });
}

/** Lets the page use a camera. `isRefused` is called for every opening. */
export function giveCamera(isRefused: () => boolean = () => false): DeviceCamera {
  const given: Track[] = [];
  giveCanvas();
  fakeVideo();
  giveDevices(async () => {
    if (isRefused()) throw new DOMException('Permission denied', 'NotAllowedError');
    const one = new Track();
    given.push(one);
    return { getTracks: () => [one], getVideoTracks: () => [one] };
  });
  return { states: () => given.map(({ readyState }) => readyState) };
}

/** Denies the page every camera; every page test starts like this. */
export function takeCamera(): void {
  giveDevices(async () => {
    throw new DOMException('Permission denied', 'NotAllowedError');
  });
}
