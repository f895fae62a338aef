export const ACCOUNT = '/postorder-ui/profile';
/** Logs in, or adds a number to an account without one, and comes back. */
export const LOGIN = '/postorder-ui/login?redirectUrl=%2Fpostorder-ui%2Fprofile';
