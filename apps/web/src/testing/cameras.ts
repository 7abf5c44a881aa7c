/** A camera that is live, as the server lists it. */
import type { Camera } from '@haris/contract/http/cameras';

export const camera = (more: Partial<Camera> = {}): Camera => ({
  _id: 'camera-1',
  name: 'Door',
  area: 'Hall',
  kind: 'rtsp',
  url: 'rtsp://camera.example/1',
  hasCredentials: false,
  zones: [],
  enabled: true,
  state: 'live',
  problem: null,
  fps: 15,
  width: 1280,
  height: 720,
  lastFrameAt: new Date().toISOString(),
  reconnects: 0,
  ...more,
});

/** The fields of a camera that sends no pictures. */
export const stalled = {
  state: 'stalled',
  fps: null,
  width: null,
  height: null,
  lastFrameAt: null,
} as const satisfies Partial<Camera>;
