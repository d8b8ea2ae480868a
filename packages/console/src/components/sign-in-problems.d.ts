/** What a person can do about a refusal of single sign-on, by its code. */
export declare const signInProblems: Readonly<Record<string, string>>;
