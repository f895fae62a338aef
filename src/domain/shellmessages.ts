// The sentences that stand around every screen (specification section 2). Apart from the others, because a bundler takes a
// file whole into the first load.
export const SCREEN_ERROR_TITLE = 'Something went wrong!';
export const SCREEN_ERROR_TEXT = 'Please try again.';
export const REFRESH = 'Refresh';
export const ROUTER_ERROR = 'Unexpected Application Error!';
export const OFFLINE_STRIP = 'There is no internet connection';
/** Of the timeout helper, domain/deadline.ts (specification section 8). */
export const ASYNC_TIMEOUT = 'Async call timeout limit reached';
