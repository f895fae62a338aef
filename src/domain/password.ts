export const PASSWORD_FROM = 8;
export const PASSWORD_TO = 128;

/** How many characters a person would count in a password, whatever the script. */
export const passwordLength = (password: string): number => [...password.normalize('NFKC')].length;
