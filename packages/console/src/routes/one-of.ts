/** A parameter of the address that must be one of some words; left out when it is anything else. */
export const oneOf = <Name extends string, Word extends string>(
  name: Name,
  words: readonly Word[],
  search: Readonly<Record<string, unknown>>,
): { [Key in Name]?: Word } => {
  const word = words.find((each) => each === search[name]);
  return (word === undefined ? {} : { [name]: word }) as { [Key in Name]?: Word };
};
