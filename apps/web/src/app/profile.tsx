/** Joins the profile with the card of a child's time and the camera, because features do not import each other. */
import type { Child } from '@haris/contract/objects';
import { useState } from 'react';
import { AirWord } from '../features/environment/air-word.tsx';
import { AirOfAreas, EnvironmentPanel } from '../features/environment/environment-panel.tsx';
import { DangerNote } from '../features/incidents/danger/danger-note.tsx';
import ProfileScreen from '../features/profile/profile-screen.tsx';
import { TimeInAreaCard } from '../features/stays/time-in-area-card.tsx';
import { loadTexts } from '../i18n/i18n.ts';
import { useLoaded } from '../ui/load-again.ts';

/**
 * Areas in which a child may be: where a camera saw it last, and the room in which staff put it. Staff may forget to
 * record a move, so their room alone excludes nothing.
 */
function areasOf({ lastSeen, room }: Child): readonly string[] {
  if (lastSeen == null) return [];
  return room === null ? [lastSeen.area] : [lastSeen.area, room];
}

/** The camera loads on first use: few visits take a photo. */
async function loadPhotoDialog() {
  const [loaded] = await Promise.all([
    import('../features/add-child/child-photo-dialog.tsx'),
    loadTexts(['child', 'add-child']),
  ]);
  return loaded.ChildPhotoDialog;
}

export default function Profile() {
  const [photographed, setPhotographed] = useState<Child | null>(null);
  const [purpose, setPurpose] = useState<'send' | 'further'>('send');
  const [isCameraOpen, setCameraOpen] = useState(false);
  const PhotoDialog = useLoaded(loadPhotoDialog, photographed !== null);
  const openCamera = (of: Child, why: typeof purpose) => {
    setPhotographed(of);
    setPurpose(why);
    setCameraOpen(true);
  };
  return (
    <>
      <ProfileScreen
        environment={<EnvironmentPanel />}
        renderDanger={(child) => <DangerNote areas={areasOf(child)} />}
        renderAir={(room) => <AirWord room={room} />}
        renderDetails={(child) => <TimeInAreaCard child={child} air={<AirOfAreas />} />}
        onNewPhoto={(child) => openCamera(child, 'send')}
        onFurtherPhoto={(child) => openCamera(child, 'further')}
      />
      {PhotoDialog === null || photographed === null ? null : (
        <PhotoDialog
          opened={isCameraOpen}
          child={photographed}
          purpose={purpose}
          onClose={() => setCameraOpen(false)}
        />
      )}
    </>
  );
}
