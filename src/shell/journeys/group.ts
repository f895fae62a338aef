/** One cart of several people. */
export * as group from '../../screens/group/GroupScreen.tsx';
export * as start from '../../screens/group/GroupStartScreen.tsx';
