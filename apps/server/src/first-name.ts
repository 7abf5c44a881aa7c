/** First names, as a kiosk shows them. Pure. */

/** Words that belong to the next one: عبد الله, أبو بكر, Abd Allah, Abou Bakr, Nour El Din. */
const BEGINS = /^(?:عبد|أبو|ابو|أم|ام|abd|abdel|abdul|abu|abou|umm|om)$/iu;
/** El and Al go with the word after them. */
const ARTICLE = /^(?:el|al)$/iu;
const GOES_ON = /^(?:الدين|الله|الرحمن|el|al|eddin|eldin|aldin|allah)$/iu;

/**
 * The given name alone: its first word, and what cannot be left out after عبد and the like. For somebody who must not read the family's
 * name: "El Masry" may be one, so {@link firstNameOf} would tell it.
 */
export function givenNameOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  if (!BEGINS.test(words[0] ?? '')) return words[0] ?? '';
  // Abd El Rahman
  return words.slice(0, ARTICLE.test(words[1] ?? '') ? 3 : 2).join(' ');
}

/** The first name in a full name, with the words that belong to it. */
export function firstNameOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  let count = 1;
  if (BEGINS.test(words[0] ?? '')) count++;
  while (count < words.length && GOES_ON.test(words[count] ?? '')) {
    const word = words[count] ?? '';
    count += ARTICLE.test(word) ? 2 : 1;
  }
  return words.slice(0, count).join(' ');
}
