/** 128 random bits. Works outside a secure context, where randomUUID is missing. */
export const newId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
