import type { Environment } from 'vitest/runtime';

/** For vitest: modules as a browser finds them, and no window yet: each file opens its own (window.ts). */
const windowless: Environment = {
  name: 'windowless',
  viteEnvironment: 'client',
  setup: () => ({ teardown: () => {} }),
};
export default windowless;
