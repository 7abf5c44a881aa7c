/** Colours, type and shapes of Haris as Mantine tokens. */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** Colour of actions, links and "inside". Shade 7 carries white text at 6:1. */
const pine: MantineColorsTuple = [
  '#eef7f4',
  '#dcece7',
  '#b9d9cf',
  '#90c5b5',
  '#6bb09c',
  '#4a9a84',
  '#33846f',
  '#1f6f5c',
  '#185848',
  '#104036',
];

/** Warm neutrals in place of a cold grey. The dimmed text uses shade 6, 5.2:1 on the page. */
const sand: MantineColorsTuple = [
  '#faf6ef',
  '#f4eee4',
  '#e9e1d4',
  '#dbd1c1',
  '#c5b9a6',
  '#a3978a',
  '#6b6356',
  '#524b41',
  '#38332c',
  '#241f1a',
];

/** Colour of warnings that are not yet danger: due soon, questions, DEMO. */
const saffron: MantineColorsTuple = [
  '#fff6e5',
  '#ffebc8',
  '#fdd893',
  '#f9c35b',
  '#f3b02f',
  '#e09a12',
  '#b87606',
  '#8f5b04',
  '#6b4403',
  '#4d3102',
];

/** Colour of danger: overdue, deletion, failures. */
const clay: MantineColorsTuple = [
  '#fdf0ec',
  '#f9ddd5',
  '#f1b9aa',
  '#ea9a86',
  '#e27a61',
  '#d25438',
  '#bb4128',
  '#a2341e',
  '#7f2817',
  '#5c1c10',
];

/** Dark scheme from text (0) to the deepest ground (9), tinted to pine. */
const night: MantineColorsTuple = [
  '#e8efec',
  '#c9d4cf',
  '#a7b5af',
  '#7f8f88',
  '#41514a',
  '#33413b',
  '#27332e',
  '#1c2622',
  '#141c19',
  '#0e1412',
];

/** Background of the page, also used for the browser's own bars. index.html and the manifest repeat these values. */
export const pageColors = { light: sand[0], dark: night[8] } as const;

/** The first has only the zero of Arabic digits, the third and fourth replace Readex Pro until it has loaded (global.css). */
const FONTS =
  "'Haris Arabic Zero', 'Readex Pro Variable', 'Haris Until Loaded', 'Haris Until Loaded Wide', system-ui, sans-serif";

/** The theme that every screen uses; colours by role: `pine`, `saffron`, `clay` (= `red`), greys are warm. */
export const theme = createTheme({
  colors: {
    pine,
    saffron,
    clay,
    gray: sand,
    dark: night,
    red: clay,
    green: pine,
    teal: pine,
    yellow: saffron,
  },
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 4 },
  // At a luminance of 0.18 black and white text are equally readable (4.6:1).
  autoContrast: true,
  luminanceThreshold: 0.18,
  fontFamily: FONTS,
  headings: { fontFamily: FONTS, fontWeight: '600' },
  defaultRadius: 'md',
  radius: { xs: '6px', sm: '8px', md: '12px', lg: '18px', xl: '26px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'md' } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    Select: { defaultProps: { size: 'md' } },
    // Descenders of Arabic letters are deep: a label needs space above its field.
    InputWrapper: { styles: { label: { marginBlockEnd: 4 } } },
    Skeleton: { defaultProps: { radius: 'md' } },
  },
});

/**
 * Dark variants of one colour. Mantine's own are nearly black. Mantine also picks the text colour of filled buttons
 * from the light scheme's shade, which gives white, so `filled` must carry white at 4.5:1.
 */
function darkVariants(
  names: readonly string[],
  shades: MantineColorsTuple,
  filled: string,
): Record<string, string> {
  const variants = {
    filled,
    'filled-hover': `color-mix(in srgb, ${filled} 88%, black)`,
    light: `color-mix(in srgb, ${shades[4]} 17%, ${night[7]})`,
    'light-hover': `color-mix(in srgb, ${shades[4]} 26%, ${night[7]})`,
    'light-color': shades[2],
  };
  return Object.fromEntries(
    names.flatMap((name) =>
      Object.entries(variants).map(([variant, value]) => [`--mantine-color-${name}-${variant}`, value]),
    ),
  );
}

/** `--mantine-color-body` is the surface of cards and dialogs; `--haris-page` is the page behind them. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--haris-header-height': '4rem' },
  light: {
    '--mantine-color-body': '#fffdfa',
    '--mantine-color-text': '#26302c',
    '--mantine-color-dimmed': sand[6],
    '--mantine-color-placeholder': '#756c5e',
    '--mantine-color-error': clay[7],
    '--mantine-color-anchor': pine[7],
    '--mantine-color-default-border': sand[3],
    '--haris-page': pageColors.light,
    '--haris-line': sand[2],
    '--haris-shadow': '0 1px 2px rgb(60 48 30 / 5%), 0 10px 30px -12px rgb(60 48 30 / 14%)',
  },
  dark: {
    ...darkVariants(['pine', 'green', 'teal'], pine, '#2f7d69'),
    ...darkVariants(['saffron', 'yellow'], saffron, saffron[7]),
    ...darkVariants(['clay', 'red'], clay, clay[6]),
    ...darkVariants(['gray'], sand, sand[6]),
    '--mantine-primary-color-contrast': '#fff',
    '--mantine-color-body': night[7],
    '--mantine-color-text': night[0],
    '--mantine-color-dimmed': night[2],
    '--mantine-color-placeholder': '#8c9a94',
    '--mantine-color-error': clay[3],
    '--mantine-color-anchor': pine[3],
    '--mantine-color-default-border': night[4],
    '--haris-page': pageColors.dark,
    '--haris-line': night[5],
    '--haris-shadow': '0 1px 2px rgb(0 0 0 / 30%), 0 12px 32px -14px rgb(0 0 0 / 60%)',
  },
});
