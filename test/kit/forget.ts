import { vi } from 'vitest';

/** Modules that are the same for each page and each file: what they keep is worked out from what is written in them. */
export const REMEMBERS_NOTHING =
  /\/(country|src\/(contract|domain|text|server))\/|\/hosts\/[^/]+\/(server|contract|host)\b/;

/** Forgets all modules but those whose path fits; `vi.resetModules` forgets all of them. */
export function forgetModules(lasting: RegExp): void {
  const { idToModuleMap } = (
    globalThis as unknown as { __vitest_worker__: { evaluatedModules: { idToModuleMap: Map<string, object> } } }
  ).__vitest_worker__.evaluatedModules;
  const kept = [...idToModuleMap].filter(([id]) => lasting.test(id)).map(([, one]) => [one, { ...one }] as const);
  vi.resetModules();
  for (const [one, own] of kept) Object.assign(one, own);
}
