/** What a mini-app hides (specification section 6). */
export const MINI_APP_BLOCKED_FEATURES: readonly string[] = [
  'irctc', 'feedback', 'deals_and_offer', 'deliver_on_train', 'wallet', 'support', 'logout', 'offers',
  'showAppBanner', 'everyday_value_offer', 'edv',
];
