/** A small picture of a camera for lists: one every few seconds, only while it is in sight (decision 040). */
import type { Camera } from '@haris/contract/http/cameras';
import { useIntersection } from '@mantine/hooks';
import { IconVideo, IconVideoOff } from '@tabler/icons-react';
import { LiveThumbnail } from '../../live-picture/live-thumbnail.tsx';
import { useMay } from '../../session/may.ts';

export function CameraThumbnail({ camera }: { camera: Camera }) {
  const { ref, entry } = useIntersection({ rootMargin: '80px' });
  const isLive = camera.state === 'live';
  const mayWatch = useMay()('live.watch');
  const Icon = isLive ? IconVideo : IconVideoOff;
  return (
    <div ref={ref}>
      <LiveThumbnail
        isSlow
        target={{ kind: 'camera', id: camera._id }}
        subject={camera.name}
        isOn={mayWatch && isLive && (entry?.isIntersecting ?? false)}
        placeholder={<Icon size={40} stroke={1.4} aria-hidden />}
      />
    </div>
  );
}
