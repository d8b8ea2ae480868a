/** The limits of a note. Bytes are bytes of UTF-8, characters are Unicode code points. */
export const noteLimits = {
  titleCharactersMax: 500,
  contentBytesMax: 512 * 1024,
  folderCharactersMax: 512,
  tagsMax: 64,
  tagCharactersMax: 64,
  propertiesBytesMax: 16 * 1024,
  propertiesLevelsMax: 32,
} as const;

/** The limits of proposals: open ones of a company and of an agent, and after how many days they end. */
export const proposalLimits = {
  companyMax: 1_000,
  agentMax: 100,
  days: 30,
  reasonCharactersMax: 1_000,
} as const;

/** Bytes of UTF-8 in a text, without making them where the length alone decides. */
export const utf8Bytes = (text: string): number => new TextEncoder().encode(text).length;

/** Whether the text has at most `max` bytes of UTF-8. */
export const fitsInBytes = (text: string, max: number): boolean =>
  text.length * 3 <= max || (text.length <= max && utf8Bytes(text) <= max);

/** Whether the text has at most `max` code points. */
export const fitsInCharacters = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= max * 2 && [...text].length <= max);
