/** The drawings of the six features, each under the arch of Haris. Decorative; they follow the colour scheme. */
import type { ReactNode } from 'react';
import styles from './vignettes.module.css';

/** The arch around each drawing; `children` are drawn inside it, with the ground at y = 104. */
function Arch({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 120 112" className={styles.vignette} aria-hidden="true" focusable="false">
      <path className={styles.sky} d="M8 104V58C8 30 32 16 60 4c28 12 52 26 52 54v46Z" />
      <path className={styles.hill} d="M8 104V86c20-12 42-10 60-4s30 4 44-6v28Z" />
      {children}
      <path className={styles.ground} d="M4 104h112" />
    </svg>
  );
}

/** A face inside a camera's viewfinder. */
export function LiveVignette() {
  return (
    <Arch>
      <path className={styles.gold} d="M40 104c0-16 8-24 20-24s20 8 20 24Z" />
      <circle className={styles.skin} cx="60" cy="60" r="17" />
      <path className={styles.hair} d="M42 60c-1-13 7-21 18-21s19 8 18 21c-4-8-10-11-18-11s-14 3-18 11Z" />
      <circle className={styles.hair} cx="54" cy="62" r="1.800" />
      <circle className={styles.hair} cx="66" cy="62" r="1.800" />
      <path className={styles.smile} d="M55 68c3 3 7 3 10 0" />
      <path className={styles.line} d="M34 46V36h10M76 36h10v10M86 70v10H76M44 80H34V70" />
    </Arch>
  );
}

/** The same countdown ring on the desk's screen and on a phone. */
export function CountdownVignette() {
  return (
    <Arch>
      <rect className={styles.paper} x="22" y="48" width="52" height="40" rx="5" />
      <path className={styles.dark} d="M42 88h12v10h8v6H34v-6h8Z" />
      <circle className={styles.ring} cx="48" cy="68" r="12" />
      <path className={styles.ringLeft} d="M48 56a12 12 0 1 1-11.400 15.700" />
      <rect className={styles.dark} x="76" y="56" width="27" height="48" rx="5" />
      <rect className={styles.paper} x="79" y="60" width="21" height="38" rx="2" />
      <circle className={styles.ring} cx="89.500" cy="78" r="7" />
      <path className={styles.ringLeft} d="M89.500 71a7 7 0 1 1-6.700 9.200" />
    </Arch>
  );
}

/** A photo behind a padlock. */
export function SealedVignette() {
  return (
    <Arch>
      <rect
        className={styles.paper}
        x="26"
        y="38"
        width="46"
        height="58"
        rx="4"
        transform="rotate(-7 49 67)"
      />
      <g transform="rotate(-7 49 67)">
        <path className={styles.gold} d="M36 86c0-10 5-15 13-15s13 5 13 15Z" />
        <circle className={styles.skin} cx="49" cy="60" r="10" />
        <path className={styles.hair} d="M39 59c0-7 4-11 10-11s10 4 10 11c-3-5-6-6-10-6s-7 1-10 6Z" />
      </g>
      <path className={styles.shackle} d="M70 76v-8a11 11 0 0 1 22 0v8" />
      <rect className={styles.lock} x="63" y="74" width="36" height="28" rx="6" />
      <circle className={styles.gold} cx="81" cy="86" r="4" />
      <path className={styles.goldLine} d="M81 88v7" />
    </Arch>
  );
}

/** A page of ticked lines under a magnifying glass. */
export function AuditVignette() {
  return (
    <Arch>
      <path
        className={styles.paper}
        d="M34 34h52v64l-6.500-5-6.500 5-6.500-5-6.500 5-6.500-5-6.500 5-6.500-5-6.500 5Z"
      />
      {[46, 60, 74].map((y) => (
        <g key={y}>
          <path className={styles.tick} d={`M41 ${y}l3 3 6-6`} />
          <path className={styles.text} d={`M56 ${y}h${y === 60 ? 16 : 22}`} />
        </g>
      ))}
      <circle className={styles.lens} cx="84" cy="78" r="13" />
      <path className={styles.handle} d="M93 88l10 12" />
    </Arch>
  );
}

/** A thermometer, a drop and wind. */
export function AirVignette() {
  return (
    <Arch>
      <path className={styles.paper} d="M36 42a10 10 0 0 1 20 0v33a17 17 0 1 1-20 0Z" />
      <path className={styles.mercury} d="M46 58v30" />
      <circle className={styles.alarm} cx="46" cy="88" r="9" />
      <path className={styles.line} d="M68 40h20a7 7 0 1 0-7-7M68 52h28a7 7 0 1 1-7 7" />
      <path className={styles.lock} d="M83 66c7 8 11 13 11 19a11 11 0 0 1-22 0c0-6 4-11 11-19Z" />
    </Arch>
  );
}

/** A house with servers in it. */
export function OwnVignette() {
  return (
    <Arch>
      <path className={styles.paper} d="M24 104V66l36-27 36 27v38Z" />
      <path className={styles.roof} d="M17 69l43-33 43 33" />
      <path className={styles.dark} d="M44 104V78c0-8 7-12 16-16 9 4 16 8 16 16v26Z" />
      <rect className={styles.paper} x="50" y="80" width="20" height="8" rx="2" />
      <rect className={styles.paper} x="50" y="91" width="20" height="8" rx="2" />
      <circle className={styles.gold} cx="55" cy="84" r="1.900" />
      <circle className={styles.gold} cx="55" cy="95" r="1.900" />
    </Arch>
  );
}
