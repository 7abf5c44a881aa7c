/** Paints portraits of people who do not exist: for the demo, the fake camera and the tests. */
import sharp, { type Sharp } from 'sharp';
import { drawPerson, type Pose } from './drawing.ts';
import { featuresOf } from './features.ts';

export interface Portrait extends Partial<Pose> {
  /** The person: a seed gives the same face in every light and turn. */
  readonly seed: number;
}

export interface Scene {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /**
   * People in the picture: `x` and `y` are the head's middle (fractions of width and height), `head` is its height
   * (fraction of the height).
   */
  readonly people: readonly (Portrait & { readonly x: number; readonly y: number; readonly head: number })[];
  /** Background colours, top and bottom. */
  readonly room?: readonly [string, string];
  /** Whether there are toys in the room. */
  readonly toys?: boolean;
  /** Standard deviation of the blur in pixels; 0.6 by default, like a lens. */
  readonly blur?: number;
  /** Factor for the brightness of the whole picture; 1 by default. */
  readonly exposure?: number;
}

/** Balls, blocks and a shelf in the lower part of the room: shapes that must not be detected as a face. */
function drawToys(width: number, height: number): string {
  const y = height * 0.78;
  const u = Math.min(width, height);
  return `<rect x="0" y="${y}" width="${width}" height="${height - y}" fill="#c9b08a"/>
<rect x="${width * 0.08}" y="${height * 0.3}" width="${u * 0.3}" height="${u * 0.035}" fill="#9a7a52"/>
<rect x="${width * 0.1}" y="${height * 0.3 - u * 0.14}" width="${u * 0.05}" height="${u * 0.14}" fill="#6c6fa8"/>
<rect x="${width * 0.1 + u * 0.07}" y="${height * 0.3 - u * 0.11}" width="${u * 0.05}" height="${u * 0.11}" fill="#b65a62"/>
<circle cx="${width * 0.7}" cy="${y}" r="${u * 0.13}" fill="#e0b84c"/>
<path d="M${width * 0.7 - u * 0.13} ${y} h${u * 0.26}" stroke="#b65a62" stroke-width="${u * 0.03}"/>
<rect x="${width * 0.3}" y="${y - u * 0.1}" width="${u * 0.14}" height="${u * 0.14}" fill="#3f7d74"/>
<rect x="${width * 0.3 + u * 0.15}" y="${y - u * 0.1}" width="${u * 0.14}" height="${u * 0.14}" fill="#c9793f"/>
<path d="M${width * 0.3 + u * 0.145} ${y - u * 0.24} l${u * 0.1} ${u * 0.13} h${-u * 0.2} Z" fill="#6c6fa8"/>`;
}

/** Paints a scene as a sharp pipeline of RGB pixels, which can be written in any format. */
export function paintScene(scene: Scene): Sharp {
  const { width, height } = scene;
  const [above, below] = scene.room ?? ['#dfe7ea', '#b9c6c4'];
  const people = scene.people
    .map((person, index) => {
      const pose: Pose = {
        turn: person.turn ?? 0,
        lean: person.lean ?? 0,
        light: person.light ?? 1,
        side: person.side ?? 0,
      };
      const scale = person.head * height;
      const light = pose.light === 1 ? '' : ` filter="url(#light${index})"`;
      return `<filter id="light${index}"><feComponentTransfer>${['R', 'G', 'B']
        .map((channel) => `<feFunc${channel} type="linear" slope="${pose.light}"/>`)
        .join('')}</feComponentTransfer></filter>
<g${light}><g transform="translate(${person.x * width} ${person.y * height}) scale(${scale})">${drawPerson(featuresOf(person.seed), pose, `p${index}`)}</g></g>`;
    })
    .join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<defs><linearGradient id="room" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${above}"/><stop offset="1" stop-color="${below}"/></linearGradient></defs>
<rect width="${width}" height="${height}" fill="url(#room)"/>
${scene.toys ? drawToys(width, height) : ''}
${people}</svg>`;
  const painted = sharp(Buffer.from(svg))
    .removeAlpha()
    .blur(scene.blur ?? 0.6);
  const exposure = scene.exposure ?? 1;
  return exposure === 1 ? painted : painted.linear(exposure, 0);
}

/** One child from the front, PNG bytes; the face is about 0.4 of the picture's width. `size` in pixels, square. */
export function paintPortrait(portrait: Portrait, size = 640): Promise<Buffer> {
  return paintScene({ width: size, height: size, people: [{ ...portrait, x: 0.5, y: 0.46, head: 0.62 }] })
    .png()
    .toBuffer();
}
