// Made from en/search.json by `npm run texts`.
export const title = 'Search the menu';
export const examples = 'Pizza, sides, drinks';
export const listening = 'Listening…';
export const listen = 'Search by voice';
export const stopListening = 'Stop listening';
export const notUnderstood = 'Nothing was understood. Please say it again, or type it.';
export const microphoneDenied = 'The microphone is not allowed here. Please type what you are looking for.';
export const listeningFailed = 'Listening did not work. Please type what you are looking for.';
export const clear = 'Clear';
export const recent = 'Recent searches';
export const categories = 'Categories';
export const bestsellers = 'Bestsellers';
export const found = (p: { count: number }): string => (p.count === 1 ? `${p.count} dish` : `${p.count} dishes`);
export const foundTitle = 'Found';
export const nothing = 'No result found on your search!';
export const close = 'These come close:';
export const anotherWord = 'Try another word, or look through the menu.';
export const menu = 'See the menu';
