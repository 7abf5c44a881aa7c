/** Opens a camera of this device while it is wanted and the page is visible, and stops it otherwise. */
import { useDocumentVisibility } from '@mantine/hooks';
import { useCallback, useEffect, useState } from 'react';

export type CameraState =
  | { status: 'off' }
  | { status: 'starting' }
  | { status: 'live'; stream: MediaStream }
  | { status: 'failed' };

/**
 * `user` is the camera on the screen's side, `environment` the rear camera; a device with one camera uses it for both.
 */
export type CameraFacing = 'user' | 'environment';

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Rejects if there is no camera, no permission, or no secure page. */
async function openCamera(facing: CameraFacing): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: facing, width: { ideal: 1280 }, height: { ideal: 960 } },
  });
}

/** `wanted` false stops the camera and turns off its light; `retry` opens the camera again after a failure. */
export function useCamera(wanted: boolean, facing: CameraFacing): { camera: CameraState; retry: () => void } {
  const isVisible = useDocumentVisibility() === 'visible';
  const isOn = wanted && isVisible;
  const [camera, setCamera] = useState<CameraState>({ status: 'off' });
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry is a new opening
  useEffect(() => {
    if (!isOn) return;
    let isLeft = false;
    let opened: MediaStream | null = null;
    setCamera({ status: 'starting' });
    const open = async () => {
      try {
        const stream = await openCamera(facing);
        // The person left the screen while the browser asked for permission.
        if (isLeft) return stop(stream);
        opened = stream;
        // Somebody unplugged the camera, or the system took it.
        stream.getVideoTracks()[0]?.addEventListener('ended', () => setCamera({ status: 'failed' }));
        setCamera({ status: 'live', stream });
      } catch {
        if (!isLeft) setCamera({ status: 'failed' });
      }
    };
    void open();
    return () => {
      isLeft = true;
      if (opened !== null) stop(opened);
      setCamera({ status: 'off' });
    };
  }, [isOn, tries, facing]);

  return { camera, retry: useCallback(() => setTries((count) => count + 1), []) };
}
