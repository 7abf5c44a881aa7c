/** Draws a painted person's head as SVG. Unit: the head's height; origin: between the eye line and the nose. */
import type { Features } from './features.ts';

/** Position and lighting of the person. */
export interface Pose {
  /** -1 (to the picture's left) to 1: how far the head is turned. */
  readonly turn: number;
  /** Tilt of the head in degrees. */
  readonly lean: number;
  /** 0.15 (dark) to 1.2 (bright); 1 is daylight. */
  readonly light: number;
  /** -1 (light from the left) to 1. */
  readonly side: number;
}

const n = (value: number): string => value.toFixed(4);

/** A colour `#rrggbb` at three quarters of its brightness. */
function darker(colour: string): string {
  const channels = [1, 3, 5].map((at) => Math.round(Number.parseInt(colour.slice(at, at + 2), 16) * 0.75));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** Head, neck and shoulders in a `<g>`; the unit is the head's height. `id` makes the element ids unique. */
export function drawPerson(f: Features, pose: Pose, id: string): string {
  const shift = pose.turn * 0.06;
  return `<g transform="rotate(${n(pose.lean)})">
${drawBody(f)}
${drawBackHair(f)}
${drawEars(f, shift)}
${drawHead(f, pose, id)}
<g transform="translate(${n(shift)} 0) scale(${n(1 - Math.abs(pose.turn) * 0.05)} 1)">
${drawCheeks(f)}
${drawEye(f, -1)}${drawEye(f, 1)}
${drawBrow(f, -1)}${drawBrow(f, 1)}
${drawNose(f, pose)}
${drawMouth(f)}
${drawGlasses(f)}
</g>
${drawFrontHair(f)}
</g>`;
}

function drawBody(f: Features): string {
  const w = f.headWidth * f.jawWidth * 0.24;
  return `<path d="M${n(-w)} 0.3 L${n(-w)} 0.75 L${n(w)} 0.75 L${n(w)} 0.3 Z" fill="${f.skinDark}"/>
<path d="M-0.95 1.4 C-0.9 0.85 -0.55 0.75 -0.2 0.68 C-0.1 0.8 0.1 0.8 0.2 0.68 C0.55 0.75 0.9 0.85 0.95 1.4 Z" fill="${f.shirt}"/>`;
}

/** Outline of the face from the forehead along the jaw to the chin. */
function facePath(f: Features): string {
  const w = f.headWidth / 2;
  const j = w * f.jawWidth;
  const top = -0.47 * f.foreheadHeight;
  const c = j * (0.35 + f.chin);
  return `M0 ${n(top)} C${n(w * 0.75)} ${n(top)} ${n(w)} ${n(top + 0.2)} ${n(w)} ${n(-0.05)}
 C${n(w)} 0.15 ${n(j * 1.05)} 0.25 ${n(j * 0.95)} 0.33 C${n(j * 0.8)} 0.44 ${n(c)} 0.53 0 0.53
 C${n(-c)} 0.53 ${n(-j * 0.8)} 0.44 ${n(-j * 0.95)} 0.33 C${n(-j * 1.05)} 0.25 ${n(-w)} 0.15 ${n(-w)} -0.05
 C${n(-w)} ${n(top + 0.2)} ${n(-w * 0.75)} ${n(top)} 0 ${n(top)} Z`;
}

function drawHead(f: Features, pose: Pose, id: string): string {
  const x = 0.5 + pose.side * 0.35;
  return `<defs><radialGradient id="${id}-skin" cx="${n(x)}" cy="0.38" r="0.75">
<stop offset="0" stop-color="${f.skinLight}"/><stop offset="0.55" stop-color="${f.skin}"/><stop offset="1" stop-color="${f.skinDark}"/>
</radialGradient></defs>
<path d="${facePath(f)}" fill="url(#${id}-skin)"/>`;
}

function drawEars(f: Features, shift: number): string {
  if (f.hairStyle === 'scarf') return '';
  const w = f.headWidth / 2;
  return [-1, 1]
    .map(
      (side) =>
        `<ellipse cx="${n(side * w - shift * 0.5)}" cy="0.02" rx="${n(f.earSize * 0.45)}" ry="${n(f.earSize)}" fill="${f.skinDark}"/>
<ellipse cx="${n(side * w - shift * 0.5)}" cy="0.02" rx="${n(f.earSize * 0.3)}" ry="${n(f.earSize * 0.75)}" fill="${f.skin}"/>`,
    )
    .join('');
}

function drawEye(f: Features, side: number): string {
  const x = (side * f.eyeDistance) / 2;
  const w = f.eyeWidth / 2;
  const h = w * f.eyeOpen;
  const iris = Math.min(w * 0.52, h * 1.25);
  return `<g transform="translate(${n(x)} ${n(f.eyeHeight)}) rotate(${n(-side * f.eyeTilt)})">
<ellipse cx="0" cy="${n(h * 0.2)}" rx="${n(w * 1.4)}" ry="${n(h * 1.7)}" fill="${f.skinDark}" opacity="0.2"/>
<path d="M${n(-w)} 0 Q0 ${n(-h * 2)} ${n(w)} 0 Q0 ${n(h * 1.5)} ${n(-w)} 0 Z" fill="#f7f3ee"/>
<circle cx="0" cy="${n(-h * 0.15)}" r="${n(iris)}" fill="${f.iris}"/>
<circle cx="0" cy="${n(-h * 0.15)}" r="${n(iris * 0.5)}" fill="#0b0806"/>
<circle cx="${n(iris * 0.3)}" cy="${n(-h * 0.15 - iris * 0.35)}" r="${n(iris * 0.2)}" fill="#fff"/>
<path d="M${n(-w * 1.06)} ${n(h * 0.1)} Q0 ${n(-h * 2.15)} ${n(w * 1.06)} ${n(h * 0.05)}" fill="none" stroke="#1c110b" stroke-width="0.014" stroke-linecap="round"/>
<path d="M${n(-w)} ${n(-h * 0.9)} Q0 ${n(-h * 2.9)} ${n(w)} ${n(-h * 0.9)}" fill="none" stroke="${f.skinDark}" stroke-width="0.009"/>
<path d="M${n(-w * 0.8)} ${n(h * 0.75)} Q0 ${n(h * 1.5)} ${n(w * 0.8)} ${n(h * 0.75)}" fill="none" stroke="${f.skinDark}" stroke-width="0.007"/>
</g>`;
}

function drawBrow(f: Features, side: number): string {
  const x = (side * f.eyeDistance) / 2;
  // Brows that meet over the nose make a child look angry.
  const w = Math.min(f.eyeWidth * 0.78, f.eyeDistance / 2 - 0.035);
  const t = f.browThickness;
  // Brows of fair hair are a little darker than the hair, or they would be invisible.
  const color = f.hairStyle === 'scarf' ? '#2b1d14' : darker(f.hair);
  return `<g transform="translate(${n(x)} ${n(f.eyeHeight - f.browHeight)}) rotate(${n(-side * f.browAngle * 0.6)}) scale(${side} 1)">
<path d="M${n(-w)} ${n(t)} Q${n(-w * 0.2)} ${n(-t * 1.6)} ${n(w)} 0 Q${n(-w * 0.1)} ${n(-t * 0.1)} ${n(-w)} ${n(t * 1.9)} Z" fill="${color}" opacity="0.92"/>
</g>`;
}

function drawNose(f: Features, pose: Pose): string {
  const y = f.eyeHeight + f.noseLength;
  const w = f.noseWidth / 2;
  const b = f.noseBridge;
  const lit = pose.side >= 0 ? -1 : 1;
  return `<path d="M${n(lit * b)} ${n(f.eyeHeight - 0.02)} Q${n(lit * b * 1.2)} ${n(y - 0.08)} ${n(lit * w)} ${n(y)} L0 ${n(y - 0.01)} Z" fill="${f.skinDark}" opacity="0.42"/>
<path d="M${n(-lit * b * 0.2)} ${n(f.eyeHeight)} L${n(-lit * b * 0.2)} ${n(y - 0.05)}" stroke="${f.skinLight}" stroke-width="${n(b * 0.6)}" stroke-linecap="round" opacity="0.65"/>
<ellipse cx="0" cy="${n(y - 0.02)}" rx="${n(w * 0.62)}" ry="0.035" fill="${f.skinLight}" opacity="0.45"/>
<path d="M${n(-w)} ${n(y - 0.012)} Q${n(-w * 0.9)} ${n(y + 0.03)} ${n(-w * 0.4)} ${n(y + 0.012)} Q0 ${n(y + 0.045)} ${n(w * 0.4)} ${n(y + 0.012)} Q${n(w * 0.9)} ${n(y + 0.03)} ${n(w)} ${n(y - 0.012)}" fill="none" stroke="${f.skinDark}" stroke-width="0.015" stroke-linecap="round"/>
<ellipse cx="${n(-w * 0.5)}" cy="${n(y + 0.008)}" rx="${n(w * 0.24)}" ry="0.011" fill="#2a1610" opacity="0.75"/>
<ellipse cx="${n(w * 0.5)}" cy="${n(y + 0.008)}" rx="${n(w * 0.24)}" ry="0.011" fill="#2a1610" opacity="0.75"/>`;
}

function drawMouth(f: Features): string {
  const y = f.eyeHeight + f.noseLength + f.mouthHeight;
  const w = f.mouthWidth / 2;
  const t = f.lipThickness;
  const s = f.smile;
  const corners = n(y - s);
  const shade = `<ellipse cx="0" cy="${n(y + t * 1.2 + 0.04)}" rx="${n(w * 0.5)}" ry="0.012" fill="${f.skinDark}" opacity="0.35"/>`;
  if (f.teeth)
    return `<path d="M${n(-w)} ${corners} Q0 ${n(y - s * 0.1)} ${n(w)} ${corners} Q${n(w * 0.5)} ${n(y + s + 0.045)} 0 ${n(y + s + 0.045)} Q${n(-w * 0.5)} ${n(y + s + 0.045)} ${n(-w)} ${corners} Z" fill="#7c2f2d" stroke="${f.lips}" stroke-width="${n(0.012 + t * 0.3)}" stroke-linejoin="round"/>
<path d="M${n(-w * 0.86)} ${n(y - s * 0.85)} Q0 ${n(y - s * 0.05)} ${n(w * 0.86)} ${n(y - s * 0.85)} Q0 ${n(y + s * 0.6 + 0.035)} ${n(-w * 0.86)} ${n(y - s * 0.85)} Z" fill="#fdfaf4"/>${shade}`;
  return `<path d="M${n(-w)} ${corners} Q${n(-w * 0.4)} ${n(y - t - s * 0.2)} 0 ${n(y - t * 0.6)} Q${n(w * 0.4)} ${n(y - t - s * 0.2)} ${n(w)} ${corners} Q0 ${n(y + s * 1.2)} ${n(-w)} ${corners} Z" fill="${f.lips}"/>
<path d="M${n(-w)} ${corners} Q0 ${n(y + t * 2 + s * 1.3)} ${n(w)} ${corners} Q0 ${n(y + s * 1.2)} ${n(-w)} ${corners} Z" fill="${f.lips}" opacity="0.85"/>
<path d="M${n(-w * 1.03)} ${corners} Q0 ${n(y + s * 1.2)} ${n(w * 1.03)} ${corners}" fill="none" stroke="#5a2622" stroke-width="0.011" stroke-linecap="round"/>${shade}`;
}

function drawCheeks(f: Features): string {
  const dots = f.freckles
    ? [-0.2, -0.16, -0.12, 0.12, 0.16, 0.2]
        .map(
          (x, i) =>
            `<circle cx="${x}" cy="${n(0.12 + (i % 3) * 0.025)}" r="0.008" fill="${f.skinDark}" opacity="0.7"/>`,
        )
        .join('')
    : '';
  return `<ellipse cx="-0.22" cy="0.17" rx="0.09" ry="0.06" fill="${f.blush}" opacity="${n(f.cheeks)}"/>
<ellipse cx="0.22" cy="0.17" rx="0.09" ry="0.06" fill="${f.blush}" opacity="${n(f.cheeks)}"/>${dots}`;
}

function drawGlasses(f: Features): string {
  if (f.glasses === 'none') return '';
  const x = f.eyeDistance / 2;
  const r = f.eyeDistance * 0.4;
  const lens = (side: number): string =>
    f.glasses === 'round'
      ? `<circle cx="${n(side * x)}" cy="${n(f.eyeHeight + 0.01)}" r="${n(r)}"/>`
      : `<rect x="${n(side * x - r)}" y="${n(f.eyeHeight - r * 0.6)}" width="${n(r * 2)}" height="${n(r * 1.35)}" rx="0.03"/>`;
  return `<g fill="#ffffff" fill-opacity="0.08" stroke="${f.frame}" stroke-width="0.018">${lens(-1)}${lens(1)}
<path d="M${n(-x + r)} ${n(f.eyeHeight)} Q0 ${n(f.eyeHeight - 0.03)} ${n(x - r)} ${n(f.eyeHeight)}" fill="none"/></g>`;
}

function drawBackHair(f: Features): string {
  const w = f.headWidth / 2;
  if (f.hairStyle === 'scarf')
    return `<ellipse cx="0" cy="0.02" rx="${n(w * 1.28)}" ry="0.7" fill="${f.scarf}"/><path d="M${n(-w * 1.2)} 0.3 Q-0.7 0.8 -0.6 1.1 L0.6 1.1 Q0.7 0.8 ${n(w * 1.2)} 0.3 Z" fill="${f.scarf}"/>`;
  if (f.hairStyle === 'long')
    return `<path d="M${n(-w * 1.12)} -0.2 C${n(-w * 1.35)} 0.3 ${n(-w * 1.3)} 0.6 ${n(-w * 1.2)} 0.8 L${n(w * 1.2)} 0.8 C${n(w * 1.3)} 0.6 ${n(w * 1.35)} 0.3 ${n(w * 1.12)} -0.2 Z" fill="${f.hair}"/>`;
  if (f.hairStyle === 'pigtails')
    return [-1, 1]
      .map(
        (side) =>
          `<path d="M${n(side * w * 0.95)} -0.1 C${n(side * w * 1.7)} -0.25 ${n(side * w * 1.75)} 0.3 ${n(side * w * 1.35)} 0.5 C${n(side * w * 1.2)} 0.3 ${n(side * w * 1.2)} 0.1 ${n(side * w * 0.95)} -0.1 Z" fill="${f.hair}"/>
<circle cx="${n(side * w * 1.1)}" cy="-0.07" r="0.045" fill="${f.scarf}"/>`,
      )
      .join('');
  if (f.hairStyle === 'bun')
    return `<circle cx="0" cy="${n(-0.58 * f.foreheadHeight)}" r="0.16" fill="${f.hair}"/>`;
  if (f.hairStyle === 'curly')
    return Array.from({ length: 13 }, (_, i) => {
      const angle = Math.PI * (0.95 + (i / 12) * 1.1);
      return `<circle cx="${n(Math.cos(angle) * w * 1.08)}" cy="${n(-0.1 + Math.sin(angle) * 0.42)}" r="0.13" fill="${f.hair}"/>`;
    }).join('');
  return '';
}

function drawFrontHair(f: Features): string {
  const w = f.headWidth / 2;
  const top = -0.5 * f.foreheadHeight;
  if (f.hairStyle === 'scarf')
    return `<path d="M${n(-w * 1.1)} 0.35 C${n(-w * 1.2)} -0.3 ${n(-w * 0.7)} ${n(top - 0.12)} 0 ${n(top - 0.12)} C${n(w * 0.7)} ${n(top - 0.12)} ${n(w * 1.2)} -0.3 ${n(w * 1.1)} 0.35 C${n(w * 1.02)} -0.1 ${n(w * 0.8)} ${n(top + 0.14)} 0 ${n(top + 0.12)} C${n(-w * 0.8)} ${n(top + 0.14)} ${n(-w * 1.02)} -0.1 ${n(-w * 1.1)} 0.35 Z" fill="${f.scarf}"/>`;
  const low = f.hairStyle === 'fringe' ? top + 0.27 : top + 0.13;
  const cap = `M${n(-w * 1.04)} 0 C${n(-w * 1.2)} ${n(top)} ${n(-w * 0.7)} ${n(top - 0.1)} 0 ${n(top - 0.1)} C${n(w * 0.7)} ${n(top - 0.1)} ${n(w * 1.2)} ${n(top)} ${n(w * 1.04)} 0`;
  if (f.hairStyle === 'fringe')
    return `<path d="${cap} C${n(w * 0.98)} -0.1 ${n(w * 0.95)} ${n(low)} ${n(w * 0.6)} ${n(low)} L${n(-w * 0.75)} ${n(low + 0.02)} C${n(-w * 0.95)} ${n(low)} ${n(-w * 0.98)} -0.1 ${n(-w * 1.04)} 0 Z" fill="${f.hair}"/>`;
  return `<path d="${cap} C${n(w * 0.95)} -0.2 ${n(w * 0.7)} ${n(low)} ${n(w * 0.1)} ${n(low - 0.02)} C${n(-w * 0.5)} ${n(low)} ${n(-w * 0.9)} ${n(low + 0.06)} ${n(-w * 1.04)} 0 Z" fill="${f.hair}"/>`;
}
