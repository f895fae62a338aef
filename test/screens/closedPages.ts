/** How many pages of this file's are closed: a call that one of them made hears no answer (page.ts). */
export const closedPages = { count: 0 };
