/** Drawing of families under a sheltering arch. Decorative; follows the colour scheme. */
import styles from './shelter-scene.module.css';

/**
 * An adult or child seen from the front: head and gown. `x` is the middle, `y` the ground; `scale` is 1 for an adult.
 */
function Figure({
  x,
  y,
  scale,
  gown,
  skin,
}: {
  x: number;
  y: number;
  scale: number;
  gown: string;
  skin: string;
}) {
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`}>
      <path d="M-19 0c-1-30 3-52 19-52s20 22 19 52c0 3-38 3-38 0Z" fill={gown} />
      <circle cy="-66" r="13" fill={skin} />
      <path d="M-14-66a14 14 0 0 1 28 0c-3-6-8-8-14-8s-11 2-14 8Z" className={styles.hair} />
    </g>
  );
}

/** A hanging lantern; `x`, `y` is its point of suspension, `drop` the length of its chain. */
function Lantern({ x, y, drop }: { x: number; y: number; drop: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d={`M0 0V${drop}`} className={styles.chain} />
      <circle cy={drop + 14} r="26" className={styles.glow} />
      <path
        d={`M-8 ${drop + 6}L0 ${drop}L8 ${drop + 6}L6 ${drop + 22}L0 ${drop + 28}L-6 ${drop + 22}Z`}
        className={styles.light}
      />
    </g>
  );
}

export function ShelterScene({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 520 460" className={className} aria-hidden="true" focusable="false">
      <path
        className={styles.sky}
        d="M20 430V214C20 108 128 52 260 14c132 38 240 94 240 200v216c0 10-8 16-18 16H38c-10 0-18-6-18-16Z"
      />
      <circle cx="390" cy="150" r="34" className={styles.sun} />
      <g className={styles.stars}>
        <path d="M128 132l3 8 8 3-8 3-3 8-3-8-8-3 8-3Z" />
        <path d="M316 92l2 6 6 2-6 2-2 6-2-6-6-2 6-2Z" />
        <path d="M204 84l2 5 5 2-5 2-2 5-2-5-5-2 5-2Z" />
      </g>
      <path className={styles.farHill} d="M20 330c70-46 130-50 196-20s150 16 284-40v160H20Z" />
      <path
        className={styles.nearHill}
        d="M20 374c90-34 180-28 250-8s150 14 230-16v80c0 10-8 16-18 16H38c-10 0-18-6-18-16Z"
      />
      <path
        className={styles.wall}
        d="M150 410V256c0-66 46-98 110-130 64 32 110 64 110 130v154h-42V262c0-40-26-64-68-86-42 22-68 46-68 86v148Z"
      />
      <path className={styles.inside} d="M192 410V262c0-40 26-64 68-86 42 22 68 46 68 86v148Z" />
      <g className={styles.pattern}>
        {[286, 320, 354, 388].map((y) => (
          <g key={y}>
            <path d={`M171 ${y - 9}l9 9-9 9-9-9Z`} />
            <path d={`M349 ${y - 9}l9 9-9 9-9-9Z`} />
          </g>
        ))}
        <path d="M260 140l8 9-8 9-8-9Z" />
      </g>
      <Lantern x={260} y={178} drop={28} />
      <Lantern x={222} y={208} drop={20} />
      <Lantern x={298} y={208} drop={20} />
      <ellipse cx="262" cy="412" rx="112" ry="9" className={styles.ground} />
      <Figure x={228} y={410} scale={1.25} gown="#185848" skin="#c98f66" />
      <Figure x={296} y={410} scale={1.16} gown="#a2341e" skin="#e3b48d" />
      <Figure x={262} y={411} scale={0.78} gown="#f3b02f" skin="#d8a37b" />
      <g className={styles.plants}>
        <path d="M92 414c-4-26-18-34-30-38 2 16 10 34 30 38Zm4 0c2-30 14-44 28-50 2 20-6 42-28 50Z" />
        <path d="M436 406c-4-22-14-30-26-34 2 16 8 30 26 34Zm4 0c2-26 12-38 26-44 0 18-6 36-26 44Z" />
      </g>
    </svg>
  );
}
