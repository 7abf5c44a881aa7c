/** Creates pictures from a video or a file, in the formats of the calls. */
import { PHOTO_MAX_BYTES } from '@haris/contract/constants';

/** A photo to send. `url` is an object URL for the preview, which the creator of the photo revokes. */
export interface Photo {
  blob: Blob;
  fileName: string;
  url: string;
}

const TAKEN_TYPES = {
  'image/png': 'photo.png',
  'image/jpeg': 'photo.jpg',
  'image/webp': 'photo.webp',
} as const;

function isTakenType(type: string): type is keyof typeof TAKEN_TYPES {
  return type in TAKEN_TYPES;
}

function photoOf(blob: Blob, fileName: string): Photo {
  return { blob, fileName, url: URL.createObjectURL(blob) };
}

function draw(source: CanvasImageSource, width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width);
  canvas.height = Math.round(height);
  canvas.getContext('2d')?.drawImage(source, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function encode(
  canvas: HTMLCanvasElement,
  type: 'image/png' | 'image/jpeg',
  quality?: number,
): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The picture could not be encoded')) : resolve(blob)),
      type,
      quality,
    );
  });
}

/** Encodes a picture as PNG (spec §9), scaled down until the server accepts its size. */
async function encodePng(source: CanvasImageSource, width: number, height: number): Promise<Blob> {
  for (let scale = 1; ; scale *= 0.8) {
    const blob = await encode(draw(source, width * scale, height * scale), 'image/png');
    if (blob.size <= PHOTO_MAX_BYTES) return blob;
  }
}

/** Captures the current frame at full size and not mirrored. */
export async function captureFrame(video: HTMLVideoElement): Promise<Photo> {
  const blob = await encodePng(video, video.videoWidth, video.videoHeight);
  return photoOf(blob, TAKEN_TYPES['image/png']);
}

/** Captures a small JPEG for the guide; null while the video has no picture. */
export async function sampleFrame(video: HTMLVideoElement, width: number): Promise<Blob | null> {
  if (video.videoWidth === 0) return null;
  const scale = Math.min(1, width / video.videoWidth);
  return encode(draw(video, video.videoWidth * scale, video.videoHeight * scale), 'image/jpeg', 0.82);
}

/**
 * Reads a chosen file as a photo. Converts types that the server does not accept (HEIC if the browser can read it) and
 * oversized files to PNG. Rejects if the browser cannot read the file.
 */
export async function readPhotoFile(file: File): Promise<Photo> {
  if (isTakenType(file.type) && file.size <= PHOTO_MAX_BYTES) return photoOf(file, TAKEN_TYPES[file.type]);
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, 2048 / Math.max(bitmap.width, bitmap.height));
  const blob = await encodePng(bitmap, bitmap.width * scale, bitmap.height * scale);
  bitmap.close();
  return photoOf(blob, TAKEN_TYPES['image/png']);
}
