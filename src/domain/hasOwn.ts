// @noble/hashes calls Object.hasOwn as soon as it is read, but Chromium supports it only since version 93.
const language = Object as ObjectConstructor & { hasOwn?: (owner: object, key: PropertyKey) => boolean };
language.hasOwn ??= (owner, key) => Object.prototype.hasOwnProperty.call(owner, key);
