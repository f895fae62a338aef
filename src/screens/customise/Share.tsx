import { useAtomValue, useSetAtom } from 'jotai';
import { canShareAtom, shareAtom } from '../../state/share.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { ShareIcon } from '../../ui/icons/ShareIcon.tsx';

/** Hands the dish on to somebody else; nothing where the host has no way to. */
export function Share({ item }: { item: { readonly id: string; readonly name: string; readonly description: string } }) {
  const canShare = useAtomValue(canShareAtom);
  const share = useSetAtom(shareAtom);
  if (!canShare) return null;
  return <IconButton label={`Share ${item.name}`} onClick={() => void share({ title: item.name, text: item.description, path: `/customise/${item.id}` })}><ShareIcon size={20} /></IconButton>;
}
