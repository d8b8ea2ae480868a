/** A violation of a rule, named `<tool>/<rule>`, in a file. */
export type Finding = { rule: string; file: string };
