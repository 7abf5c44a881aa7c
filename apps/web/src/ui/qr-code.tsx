/** A QR code drawn as SVG, for the screen and for paper. */
import { encodeQR } from 'qr';
import { useMemo } from 'react';

/** Empty modules around the symbol; readers need four (ISO/IEC 18004 §6.3.8). */
const QUIET_ZONE = 4;

export interface QrCodeProps {
  text: string;
  /** Accessible name. */
  label: string;
  className?: string | undefined;
}

/** Draws all dark modules as one path, black on white in every colour scheme. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const { size, path } = useMemo(() => {
    // Slips are printed on thermal paper and carried in pockets: allow for damaged modules.
    const modules = encodeQR(text, 'raw', { ecc: 'quartile', border: QUIET_ZONE });
    return { size: modules.length, path: modules.map(rowPath).join('') };
  }, [text]);
  return (
    <svg
      className={className}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function rowPath(row: readonly boolean[], y: number): string {
  return row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('');
}
