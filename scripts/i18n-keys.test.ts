import { describe, expect, test } from 'vitest';
import { findProblems, type Sources, type Texts } from './i18n-keys.ts';

const SCREEN = 'apps/web/src/features/hall/hall-screen.tsx';

/** Texts and code without any fault; each test plants one. */
function sound(): { texts: Texts; sources: Sources } {
  return {
    texts: {
      en: {
        hall: {
          title: 'Hall',
          inside_one: '{{count, number}} child',
          inside_other: '{{count, number}} children',
        },
      },
      ar: {
        hall: {
          title: 'القاعة',
          inside_zero: 'لا أطفال',
          inside_one: 'طفل واحد',
          inside_two: 'طفلان',
          inside_few: '{{count, number}} أطفال',
          inside_many: '{{count, number}} طفلًا',
          inside_other: '{{count, number}} طفل',
        },
      },
    },
    sources: {
      [SCREEN]: `const { t } = useTranslation('hall');
        export const hall = <h1 title={t('inside', { count: 3 })}>{t('title')}</h1>;`,
    },
  };
}

/** The problems found after `plant` has added its fault. */
function found(plant: (sound: { texts: Texts; sources: Sources }) => void): string[] {
  const planted = sound();
  plant(planted);
  return findProblems(planted.texts, planted.sources);
}

const hallOf = (texts: Texts, language: string) => texts[language]?.hall as Record<string, string>;

test('nothing is found where nothing is wrong', () => {
  expect(found(() => {})).toEqual([]);
});

describe('missing', () => {
  test.each(['en', 'ar'])('in %s', (language) => {
    expect(found(({ texts }) => delete hallOf(texts, language).title)).toContainEqual(
      expect.stringContaining(`${language}/hall.json: title is missing`),
    );
  });

  test('named in the code and in no language', () => {
    const problems = found(({ sources }) => {
      sources[SCREEN] += `t('tilte'); i18n.t('hall:nothing'); t(wide ? 'title' : 'short');`;
    });
    expect(problems).toEqual(
      ['tilte', 'hall:nothing', 'short'].map((key) => `${SCREEN}: there is no text ${key}`),
    );
  });

  test('a template that no text fits', () => {
    const problems = found(({ sources }) => {
      sources[SCREEN] += `t(\`door.\${name}\`);`;
    });
    expect(problems).toEqual([expect.stringContaining('there is no text')]);
  });

  test('there, and empty', () => {
    expect(found(({ texts }) => Object.assign(hallOf(texts, 'ar'), { title: ' ' }))).toEqual([
      'ar/hall.json: title is empty',
    ]);
  });
});

describe('unused', () => {
  const unused = { old: 'x', doors: { left: 'l', right: 'r' } };
  const plant = ({ texts }: { texts: Texts }) => {
    for (const language of ['en', 'ar']) Object.assign(hallOf(texts, language), unused);
  };

  test('what no code names', () => {
    expect(found(plant)).toEqual(
      ['old', 'doors.left', 'doors.right'].map((key) => `hall.json: ${key} is used nowhere`),
    );
  });

  test('a template and a list of keys are names', () => {
    const problems = found((planted) => {
      plant(planted);
      planted.sources[SCREEN] += `t(\`doors.\${side}\`); const KEYS = ['old']; KEYS.map((key) => t(key));`;
    });
    expect(problems).toEqual([]);
  });

  test('a name in a file that does not show the namespace is none', () => {
    const problems = found((planted) => {
      plant(planted);
      planted.sources['apps/web/src/features/yard/yard.tsx'] = `const name = 'old'; t(\`doors.\${name}\`);`;
    });
    expect(problems).toContain('hall.json: old is used nowhere');
  });
});

describe('plurals', () => {
  test('a form that the language has is missing', () => {
    expect(found(({ texts }) => delete hallOf(texts, 'ar').inside_two)).toEqual([
      'ar/hall.json: inside lacks the plural form two',
    ]);
  });

  test('a form that the language does not have', () => {
    expect(found(({ texts }) => Object.assign(hallOf(texts, 'en'), { inside_few: 'few' }))).toEqual([
      'en/hall.json: inside has a form that the language does not: few',
    ]);
  });

  test('a name that ends like a form is none', () => {
    const problems = found(({ texts, sources }) => {
      for (const language of ['en', 'ar']) Object.assign(hallOf(texts, language), { too_many: 'too many' });
      sources[SCREEN] += "t('too_many');";
    });
    expect(problems).toEqual([]);
  });

  test('a count without forms', () => {
    const problems = found(({ texts, sources }) => {
      for (const language of ['en', 'ar'])
        Object.assign(hallOf(texts, language), { total: '{{count, number}}' });
      sources[SCREEN] += "t('total', { count });";
    });
    expect(problems).toEqual(
      ['en', 'ar'].map((language) => `${language}/hall.json: total has a count and no plural forms`),
    );
  });

  test('a count in digits that are not the language’s', () => {
    const problems = found(({ texts }) =>
      Object.assign(hallOf(texts, 'ar'), { inside_few: '{{count}} أطفال' }),
    );
    expect(problems).toEqual([expect.stringContaining('{{count, number}}')]);
  });
});

test('placeholders that differ', () => {
  const problems = found(({ texts }) => {
    Object.assign(hallOf(texts, 'en'), { title: 'Hall of {{name}}' });
    Object.assign(hallOf(texts, 'ar'), { title: 'قاعة {{names}}' });
  });
  expect(problems).toEqual([
    'hall: title has other placeholders in the other language: en {name}, ar {names}',
  ]);
});
