/** A browser as a room camera: paired through the product's API, sending the pictures of the fake camera. */

import type { Camera } from '@haris/contract/http/cameras';
import { expect, type Page } from '@playwright/test';
import readImage from 'sharp';
import type { Api } from './api.ts';
import { type Words, wordsOf } from './words.ts';

/** Adds a camera of the kind "this device". */
export async function addDeviceCamera(api: Api, name: string, area: string): Promise<Camera> {
  const { token } = await api.administrator();
  const json = { name, area, kind: 'browser' };
  return (await api.call<{ camera: Camera }>('/api/cameras', { method: 'POST', token, json })).camera;
}

/** Requests a new pairing code for it. */
export async function pairingCode(api: Api, camera: Camera): Promise<string> {
  const { token } = await api.administrator();
  const path = `/api/cameras/${camera._id}/pairing`;
  return (await api.call<{ code: string }>(path, { method: 'POST', token })).code;
}

/** Makes the page this camera; resolves once it sends. */
export async function becomeCamera(page: Page, code: string, t: Words = wordsOf('en')): Promise<void> {
  await page.goto(`/camera/${code}`);
  const sends = page.getByRole('status').filter({ hasText: t('device-camera:state.sending') });
  await expect(sends).toBeAttached({ timeout: 60_000 });
}

/** Removes the camera and unpairs its device. */
export async function removeCamera(api: Api, { _id }: Camera): Promise<void> {
  const { token } = await api.administrator();
  await api.call(`/api/cameras/${_id}`, { method: 'DELETE', token });
}

/** State of the camera on the server: whether pictures arrive. */
export async function cameraState(api: Api, { _id }: Camera): Promise<Camera['state']> {
  const { token } = await api.administrator();
  return (await api.call<{ camera: Camera }>(`/api/cameras/${_id}`, { token })).camera.state;
}

/** The picture of a stream, by its accessible name. */
export function livePicture(page: Page, subject: string, t: Words = wordsOf('en')) {
  return page.getByRole('img', { name: t('live-picture:picture', { subject }) });
}

/**
 * Amount of fine detail around a point of the picture on the screen (fractions of its width and height): the mean
 * difference between neighbouring pixels, 0–255, in a square one tenth of the picture wide. NaN, which no comparison
 * accepts, while the browser has no picture to draw: an error would end a poll.
 */
export function detailAt(
  page: Page,
  subject: string,
  x: number,
  y: number,
  t: Words = wordsOf('en'),
): Promise<number> {
  return livePicture(page, subject, t).evaluate(
    (shown, at) => {
      const [width, height] = [1280, 720];
      const copy = shown.ownerDocument.createElement('canvas');
      copy.width = width;
      copy.height = height;
      const context = copy.getContext('2d');
      try {
        context.drawImage(shown, 0, 0, width, height);
      } catch {
        return Number.NaN;
      }
      const side = width / 10;
      const { data } = context.getImageData(at.x * width - side / 2, at.y * height - side / 2, side, side);
      let sum = 0;
      for (let row = 0; row < side; row++)
        for (let column = 1; column < side; column++) {
          const here = (row * side + column) * 4;
          sum += Math.abs(data[here + 1] - data[here - 3]);
        }
      return sum / (side * side);
    },
    { x, y },
  );
}

/** The same for a saved JPEG. */
export async function detailOf(jpeg: Buffer, x: number, y: number): Promise<number> {
  const [width, height] = [1280, 720];
  const side = width / 10;
  const { data, info } = await readImage(jpeg)
    .resize(width, height, { fit: 'fill' })
    .extract({
      left: Math.round(x * width - side / 2),
      top: Math.round(y * height - side / 2),
      width: side,
      height: side,
    })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let sum = 0;
  for (let row = 0; row < side; row++)
    for (let column = 1; column < side; column++) {
      const here = (row * side + column) * info.channels + 1;
      sum += Math.abs((data[here] ?? 0) - (data[here - info.channels] ?? 0));
    }
  return sum / (side * side);
}
