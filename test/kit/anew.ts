import { forgetModules, REMEMBERS_NOTHING } from './forget.ts';

// Files that share a process read the product anew each. The packages stay, and what keeps nothing of a device: the server, too,
// knows a test by its database alone, and keeps the menus and places that it has read.
forgetModules(REMEMBERS_NOTHING);
