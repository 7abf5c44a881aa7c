/** Joins "Who is this?" with the camera, and with the next step of a child, because features do not import each other. */
import { PhotoStep } from '../features/add-child/photo-step.tsx';
import CheckFaceScreen from '../features/check-face/check-face-screen.tsx';
import { palette } from '../features/dashboard/search/palette-store.ts';
import { ChildSteps } from '../features/dashboard/steps/child-steps.tsx';
import { useMay } from '../session/may.ts';

export default function CheckFace() {
  const may = useMay();
  return (
    <CheckFaceScreen
      PhotoStep={PhotoStep}
      ChildSteps={ChildSteps}
      onSearch={may('families.view') ? palette.open : null}
    />
  );
}
