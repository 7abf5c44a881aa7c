/** A browser as a room camera: paired through the product's own calls, sending what the fake camera shows. */

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

/** A new code for it. */
export async function pairingCode(api: Api, camera: Camera): Promise<string> {
  const { token } = await api.administrator();
  const path = `/api/cameras/${camera._id}/pairing`;
  return (await api.call<{ code: string }>(path, { method: 'POST', token })).code;
}

/** Makes the page this camera; ends once it sends. */
export async function becomeCamera(page: Page, code: string, t: Words = wordsOf('en')): Promise<void> {
  await page.goto(`/camera/${code}`);
  await expect(page.getByRole('status').filter({ hasText: t('device-camera:state.sending') })).toBeAttached();
}

/** Removes it, with whatever device was it. */
export async function removeCamera(api: Api, { _id }: Camera): Promise<void> {
  const { token } = await api.administrator();
  await api.call(`/api/cameras/${_id}`, { method: 'DELETE', token });
}

/** Whether the server has pictures of it. */
export async function cameraState(api: Api, { _id }: Camera): Promise<Camera['state']> {
  const { token } = await api.administrator();
  return (await api.call<{ camera: Camera }>(`/api/cameras/${_id}`, { token })).camera.state;
}

/** The picture of a stream, as the screen names it. */
export function livePicture(page: Page, subject: string, t: Words = wordsOf('en')) {
  return page.getByRole('img', { name: t('live-picture:picture', { subject }) });
}

/**
 * How much fine detail there is around a point of the picture on the screen (parts of its width and height): the mean
 * difference between neighbouring pixels, 0–255, in a square as wide as a tenth of the picture.
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
      context.drawImage(shown, 0, 0, width, height);
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

/** The same of a picture that was kept: JPEG. */
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
