/** The rewards programme. */
export * as rewards from '../../screens/loyalty/RewardsScreen.tsx';
