import { test as base } from '../kit/app.ts';
import { noon } from './steps.ts';

/** With the number of somebody in India who comes at noon. */
export const test = base.extend<{ mobile: string }>({
  mobile: async ({ phone, server }, use) => {
    await noon(server);
    await use(phone('in'));
  },
});
